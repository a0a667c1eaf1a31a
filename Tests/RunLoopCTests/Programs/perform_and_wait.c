#include "check.h"

typedef struct
{
  GThread *thread;
  int calls;
} Question;

static void
answer (gpointer user_data)
{
  Question *question = user_data;
  question->thread = g_thread_self ();
  question->calls++;
}

static void
at_once_on_its_own_thread (void)
{
  Question question = { 0 };
  g_assert_true (grunloop_perform_and_wait (grunloop_get_current (), 0, answer, &question, NULL));
  g_assert_true (question.thread == g_thread_self ());
  g_assert_cmpint (question.calls, ==, 1);
}

static void
on_the_loops_thread (void)
{
  Worker worker;
  worker_start (&worker);
  for (int i = 1; i <= 1000; i++)
    {
      Question question = { 0 };
      g_autoptr (GError) error = NULL;
      gboolean done = grunloop_perform_and_wait (worker.loop, GRUNLOOP_FOREVER, answer, &question, &error);
      g_assert_no_error (error);
      g_assert_true (done);
      g_assert_true (question.thread == worker.thread);
      g_assert_cmpint (question.calls, ==, 1);
    }
  worker_end (&worker);
  grunloop_unref (worker.loop);
}

static gpointer
tries (gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  /* The main thread stands in g_thread_join() meanwhile. */
  g_assert_false (
      grunloop_perform_and_wait (grunloop_get_main (), 20 * G_TIME_SPAN_MILLISECOND, answer, user_data, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 20 * G_TIME_SPAN_MILLISECOND);
  return NULL;
}

static void
not_later_than_its_time_limit (void)
{
  Question question = { 0 };
  g_thread_join (g_thread_new (NULL, tries, &question));
  turn ();
  g_assert_cmpint (question.calls, ==, 0);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  grunloop_get_main ();
  g_test_add_func ("/at-once-on-its-own-thread", at_once_on_its_own_thread);
  g_test_add_func ("/on-the-loops-thread", on_the_loops_thread);
  g_test_add_func ("/not-later-than-its-time-limit", not_later_than_its_time_limit);
  return g_test_run ();
}
