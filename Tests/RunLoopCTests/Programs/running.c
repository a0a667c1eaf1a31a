#include "check.h"

static int calls;

static void
stop (gpointer user_data)
{
  calls++;
  grunloop_stop (grunloop_get_current ());
}

static void
fired (GRunLoopTimer *timer, gpointer user_data)
{
  calls++;
}

static gpointer
on_thread (gpointer user_data)
{
  GRunLoop *loop = grunloop_get_current ();
  calls = 0;

  /* Nothing to wait for. */
  grunloop_run (loop);
  grunloop_run_until (loop, GRUNLOOP_FOREVER);
  g_assert_false (grunloop_run_before (loop, GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER));
  g_assert_cmpint (grunloop_run_in_mode (loop, "x", GRUNLOOP_FOREVER, FALSE), ==, GRUNLOOP_RUN_FINISHED);

  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_MILLISECOND, TRUE, fired, NULL, NULL);
  g_assert_true (grunloop_add (loop, timer, GRUNLOOP_MODE_DEFAULT, NULL));
  gint64 limit = g_get_monotonic_time () + 20 * G_TIME_SPAN_MILLISECOND;
  grunloop_run_until (loop, limit);
  g_assert_cmpint (g_get_monotonic_time (), >=, limit);
  g_assert_cmpint (calls, >, 0);

  /* Timers do not end it, a perform does. */
  limit = g_get_monotonic_time () + 10 * G_TIME_SPAN_MILLISECOND;
  g_assert_true (grunloop_run_before (loop, GRUNLOOP_MODE_DEFAULT, limit));
  g_assert_cmpint (g_get_monotonic_time (), >=, limit);
  grunloop_perform (loop, count, &calls, NULL, NULL);
  g_assert_true (grunloop_run_before (loop, GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER));

  g_assert_cmpint (grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, 0, FALSE), ==, GRUNLOOP_RUN_TIMED_OUT);
  grunloop_perform (loop, stop, NULL, NULL, NULL);
  g_assert_cmpint (grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER, FALSE), ==,
                   GRUNLOOP_RUN_STOPPED);
  grunloop_perform (loop, stop, NULL, NULL, NULL);
  g_assert_cmpint (grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER, TRUE), ==,
                   GRUNLOOP_RUN_HANDLED_SOURCE);
  grunloop_perform (loop, stop, NULL, NULL, NULL);
  grunloop_run (loop);

  /* It looks for work before it sleeps, for longer than until the timer's date. */
  g_assert_cmpint (grunloop_get_spin_duration (loop), ==, 0);
  grunloop_set_spin_duration (loop, G_TIME_SPAN_DAY);
  g_assert_cmpint (grunloop_get_spin_duration (loop), ==, G_TIME_SPAN_DAY);
  calls = 0;
  grunloop_run_until (loop, g_get_monotonic_time () + 5 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpint (calls, >, 0);
  grunloop_set_spin_duration (loop, -1);
  g_assert_cmpint (grunloop_get_spin_duration (loop), ==, 0);
  return NULL;
}

static void
says_why_it_returned (void)
{
  g_thread_join (g_thread_new (NULL, on_thread, NULL));
}

static gpointer
wakes_and_stops (gpointer user_data)
{
  while (!grunloop_is_waiting (user_data))
    g_usleep (100);
  grunloop_wake_up (user_data);
  grunloop_stop (user_data);
  return NULL;
}

static void
is_stopped_from_another_thread (void)
{
  GRunLoop *loop = grunloop_get_main ();
  g_assert_false (grunloop_is_waiting (loop));
  GThread *thread = g_thread_new (NULL, wakes_and_stops, loop);
  g_assert_cmpint (grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER, FALSE), ==,
                   GRUNLOOP_RUN_STOPPED);
  g_thread_join (thread);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/says-why-it-returned", says_why_it_returned);
  g_test_add_func ("/is-stopped-from-another-thread", is_stopped_from_another_thread);
  return g_test_run ();
}
