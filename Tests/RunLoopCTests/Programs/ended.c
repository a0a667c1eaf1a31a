#include "check.h"

/* A loop that has ended with its thread, or ends while somebody waits. */

static int called;

static void
never (gpointer user_data)
{
  called++;
}

static void
refuses_with_an_error (void)
{
  Worker worker;
  worker_start (&worker);
  worker_end (&worker);

  g_autoptr (GRunLoop) loop = worker.loop;
  g_autoptr (GError) error = NULL;
  int gone = 0;
  g_assert_false (grunloop_perform (loop, never, &gone, count, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
  g_assert_cmpstr (g_quark_to_string (error->domain), ==, "grunloop-error-quark");
  g_assert_cmpstr (error->message, !=, "");
  g_assert_cmpint (gone, ==, 1);
  g_clear_error (&error);
  g_assert_false (grunloop_perform (loop, never, NULL, NULL, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
  g_clear_error (&error);

  GRunLoopPerform *perform = (gpointer) 1;
  g_assert_false (grunloop_perform_full (loop, NULL, 0, 0, 0, never, &gone, count, &perform, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
  g_assert_null (perform);
  g_assert_cmpint (gone, ==, 2);
  g_clear_error (&error);

  g_assert_false (grunloop_perform_and_wait (loop, GRUNLOOP_FOREVER, never, NULL, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
  g_clear_error (&error);

  g_autoptr (GRunLoopSource) source = grunloop_source_new ((GRunLoopSourceFunc) never, &gone, count);
  g_assert_false (grunloop_add (loop, source, GRUNLOOP_MODE_COMMON, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
  g_clear_error (&error);
  g_assert_false (grunloop_add_common_mode (loop, "more", &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);

  /* Nowhere to put it is no error. */
  g_assert_false (grunloop_perform_and_wait (loop, GRUNLOOP_FOREVER, never, NULL, NULL));
  g_assert_cmpint (called, ==, 0);
}

/* A thread whose loop is never run, and that ends once somebody waits for it. */
static gpointer
ends_meanwhile (gpointer user_data)
{
  g_atomic_pointer_set ((gpointer *) user_data, grunloop_ref (grunloop_get_current ()));
  g_usleep (20 * G_TIME_SPAN_MILLISECOND);
  return NULL;
}

static void
waiters_are_released (void)
{
  for (int i = 0; i < 10; i++)
    {
      gpointer place = NULL;
      GThread *thread = g_thread_new (NULL, ends_meanwhile, &place);
      while (!g_atomic_pointer_get (&place))
        g_usleep (100);
      g_autoptr (GRunLoop) loop = place;
      g_autoptr (GError) error = NULL;
      g_assert_false (grunloop_perform_and_wait (loop, GRUNLOOP_FOREVER, never, NULL, &error));
      g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
      g_thread_join (thread);
    }
  g_assert_cmpint (called, ==, 0);
}

static gpointer
queues_and_ends (gpointer user_data)
{
  GRunLoop *loop = grunloop_get_current ();
  grunloop_perform (loop, never, user_data, count, NULL);
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (1000, TRUE, (GRunLoopTimerFunc) never, user_data, count);
  grunloop_add (loop, timer, GRUNLOOP_MODE_DEFAULT, NULL);
  return g_thread_self ();
}

static void
lets_go_of_user_data (void)
{
  int gone = 0;
  g_thread_join (g_thread_new (NULL, queues_and_ends, &gone));
  g_assert_cmpint (gone, ==, 2);
  g_assert_cmpint (called, ==, 0);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/refuses-with-an-error", refuses_with_an_error);
  g_test_add_func ("/waiters-are-released", waiters_are_released);
  g_test_add_func ("/lets-go-of-user-data", lets_go_of_user_data);
  return g_test_run ();
}
