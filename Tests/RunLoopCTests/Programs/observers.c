#include "check.h"

static GString *seen;

static void
observe (GRunLoopObserver *observer, GRunLoopActivity activity, gpointer user_data)
{
  g_assert_true (grunloop_observer_get_activities (observer) & activity);
  g_string_append_printf (seen, "%s%d ", (const char *) user_data, activity);
}

static void
never (GRunLoopTimer *timer, gpointer user_data)
{
  g_assert_not_reached ();
}

static gpointer
stops_once_it_sleeps (gpointer loop)
{
  while (!grunloop_is_waiting (loop))
    g_usleep (100);
  grunloop_stop (loop);
  return NULL;
}

static void
sees_each_step_of_a_run (void)
{
  GRunLoop *loop = grunloop_get_main ();
  /* Not the default mode: the main queue, which is served there, has news at first. */
  seen = g_string_new (NULL);
  g_autoptr (GRunLoopObserver) observer
      = grunloop_observer_new (GRUNLOOP_ALL_ACTIVITIES, TRUE, 0, observe, "", NULL);
  g_assert_true (grunloop_observer_get_repeats (observer));
  g_assert_cmpint (grunloop_observer_get_activities (observer), ==, GRUNLOOP_ALL_ACTIVITIES);
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_HOUR, FALSE, never, NULL, NULL);
  g_assert_true (grunloop_add (loop, observer, "private", NULL));
  g_assert_true (grunloop_add (loop, timer, "private", NULL));
  GThread *thread = g_thread_new (NULL, stops_once_it_sleeps, loop);
  g_assert_cmpint (grunloop_run_in_mode (loop, "private", GRUNLOOP_FOREVER, FALSE), ==, GRUNLOOP_RUN_STOPPED);
  g_thread_join (thread);
  g_assert_cmpstr (seen->str, ==, "1 2 4 32 64 128 ");
  grunloop_item_invalidate (observer);
  g_string_free (seen, TRUE);
}

static void
by_order_and_once (void)
{
  GRunLoop *loop = grunloop_get_main ();
  seen = g_string_new (NULL);
  g_autoptr (GRunLoopObserver) second = grunloop_observer_new (GRUNLOOP_BEFORE_TIMERS, FALSE, 2, observe, "b", NULL);
  g_autoptr (GRunLoopObserver) first = grunloop_observer_new (GRUNLOOP_BEFORE_TIMERS, TRUE, 1, observe, "a", NULL);
  int calls = 0;
  g_assert_true (grunloop_add (loop, second, GRUNLOOP_MODE_COMMON, NULL));
  g_assert_true (grunloop_add (loop, first, GRUNLOOP_MODE_COMMON, NULL));
  while (!strstr (seen->str, "a2 b2 a2"))
    {
      grunloop_perform (loop, count, &calls, NULL, NULL);
      turn ();
    }
  g_assert_false (grunloop_item_is_valid (second));
  g_assert_true (grunloop_item_is_valid (first));
  g_assert_false (grunloop_observer_get_repeats (second));
  grunloop_item_invalidate (first);
  g_string_free (seen, TRUE);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/sees-each-step-of-a-run", sees_each_step_of_a_run);
  g_test_add_func ("/by-order-and-once", by_order_and_once);
  return g_test_run ();
}
