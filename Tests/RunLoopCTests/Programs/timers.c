#include "check.h"

typedef struct
{
  int calls, wanted, done, gone;
  GRunLoopTimer *seen;
} Ticks;

static void
tick (GRunLoopTimer *timer, gpointer user_data)
{
  Ticks *ticks = user_data;
  ticks->seen = timer;
  if (++ticks->calls == ticks->wanted)
    {
      grunloop_item_invalidate (timer);
      ticks->done = TRUE;
    }
}

static void
gone (gpointer user_data)
{
  ((Ticks *) user_data)->gone++;
}

/* Before the machine's start, however long it runs: negative dates are dates, and keep their phase. */
static void
keeps_the_phase_of_any_date (void)
{
  Ticks ticks = { .wanted = 2 };
  gint64 step = 7 * G_TIME_SPAN_MILLISECOND, first = -3 * G_TIME_SPAN_HOUR - 1;
  g_autoptr (GRunLoopTimer) timer
      = grunloop_timer_new_full (GRUNLOOP_CLOCK_MONOTONIC, first, step, TRUE, 0, 0, G_PRIORITY_DEFAULT, tick, &ticks,
                                 gone);
  g_assert_cmpint (grunloop_timer_get_fire_date (timer), ==, first);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_COMMON, NULL));
  while (ticks.calls < 1)
    turn ();
  gint64 date = grunloop_timer_get_fire_date (timer);
  g_assert_cmpint (date, >, 0);
  g_assert_cmpint ((date - first) % step, ==, 0);
  turn_until (&ticks.done);
  turn ();
}

static void
repeats_and_keeps_its_phase (void)
{
  Ticks ticks = { .wanted = 4 };
  gint64 first = g_get_monotonic_time () + 5 * G_TIME_SPAN_MILLISECOND;
  g_autoptr (GRunLoopTimer) timer
      = grunloop_timer_new_full (GRUNLOOP_CLOCK_MONOTONIC, first, 3 * G_TIME_SPAN_MILLISECOND, TRUE, 0, 7,
                                 G_PRIORITY_DEFAULT, tick, &ticks, gone);
  g_assert_cmpint (grunloop_timer_get_fire_date (timer), ==, first);
  g_assert_cmpint (grunloop_timer_get_interval (timer), ==, 3 * G_TIME_SPAN_MILLISECOND);
  g_assert_true (grunloop_timer_get_repeats (timer));
  g_assert_cmpint (grunloop_timer_get_clock (timer), ==, GRUNLOOP_CLOCK_MONOTONIC);
  g_assert_cmpint (grunloop_item_get_order (timer), ==, 7);
  g_assert_cmpint (grunloop_item_get_priority (timer), ==, G_PRIORITY_DEFAULT);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_COMMON, NULL));
  while (ticks.calls < 2)
    turn ();
  gint64 phase = (grunloop_timer_get_fire_date (timer) - first) % (3 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpint (phase, ==, 0);
  turn_until (&ticks.done);
  g_assert_true (ticks.seen == timer);
  g_assert_false (grunloop_item_is_valid (timer));
  turn ();
  g_assert_cmpint (ticks.calls, ==, 4);
  g_assert_cmpint (ticks.gone, ==, 1);
}

static void
fires_once (void)
{
  Ticks ticks = { .wanted = 2 };
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (10 * G_TIME_SPAN_MILLISECOND, FALSE, tick, &ticks, gone);
  g_assert_false (grunloop_timer_get_repeats (timer));
  g_assert_cmpint (grunloop_timer_get_interval (timer), ==, 0);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, NULL));
  turn_until (&ticks.gone);
  g_assert_cmpint (ticks.calls, ==, 1);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 10 * G_TIME_SPAN_MILLISECOND);
  g_assert_false (grunloop_item_is_valid (timer));
}

static void
can_be_moved (void)
{
  Ticks ticks = { .wanted = 1 };
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_HOUR, TRUE, tick, &ticks, NULL);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, NULL));
  grunloop_timer_set_fire_date (timer, GRUNLOOP_FOREVER);
  g_assert_cmpint (grunloop_timer_get_fire_date (timer), ==, GRUNLOOP_FOREVER);
  turn ();
  g_assert_cmpint (ticks.calls, ==, 0);
  grunloop_timer_set_fire_date (timer, 0);
  turn_until (&ticks.done);
}

static void
has_a_clock_and_a_tolerance (void)
{
  Ticks ticks = { .wanted = 1 };
  for (GRunLoopClock clock = GRUNLOOP_CLOCK_MONOTONIC; clock <= GRUNLOOP_CLOCK_WALL; clock++)
    {
      ticks = (Ticks){ .wanted = 1 };
      g_autoptr (GRunLoopTimer) timer = grunloop_timer_new_full (clock, -1, G_TIME_SPAN_MILLISECOND, FALSE,
                                                                 G_TIME_SPAN_MILLISECOND, 0, 0, tick, &ticks, gone);
      g_assert_cmpint (grunloop_timer_get_clock (timer), ==, clock);
      g_assert_cmpint (grunloop_timer_get_tolerance (timer), ==, G_TIME_SPAN_MILLISECOND);
      grunloop_timer_set_tolerance (timer, 1);
      g_assert_cmpint (grunloop_timer_get_tolerance (timer), ==, 1);
      if (clock == GRUNLOOP_CLOCK_WALL)
        g_assert_cmpint (ABS (grunloop_timer_get_fire_date (timer) - g_get_real_time ()), <, 300 * G_TIME_SPAN_SECOND);
      g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, NULL));
      turn_until (&ticks.done);
    }
}

static void
fires_when_asked (void)
{
  Ticks ticks = { .wanted = 100 };
  g_autoptr (GRunLoopTimer) once = grunloop_timer_new (G_TIME_SPAN_HOUR, FALSE, tick, &ticks, gone);
  g_autoptr (GRunLoopTimer) often = grunloop_timer_new (G_TIME_SPAN_HOUR, TRUE, tick, &ticks, gone);
  gint64 date = grunloop_timer_get_fire_date (often);
  grunloop_timer_fire (once);
  grunloop_timer_fire (often);
  g_assert_cmpint (ticks.calls, ==, 2);
  g_assert_false (grunloop_item_is_valid (once));
  g_assert_true (grunloop_item_is_valid (often));
  g_assert_cmpint (grunloop_timer_get_fire_date (often), ==, date);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/repeats-and-keeps-its-phase", repeats_and_keeps_its_phase);
  g_test_add_func ("/keeps-the-phase-of-any-date", keeps_the_phase_of_any_date);
  g_test_add_func ("/fires-once", fires_once);
  g_test_add_func ("/can-be-moved", can_be_moved);
  g_test_add_func ("/has-a-clock-and-a-tolerance", has_a_clock_and_a_tolerance);
  g_test_add_func ("/fires-when-asked", fires_when_asked);
  return g_test_run ();
}
