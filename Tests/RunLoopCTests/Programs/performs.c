#include "check.h"

static GString *said;

static void
say (gpointer user_data)
{
  g_string_append (said, user_data);
}

static void
let_go (gpointer user_data)
{
  g_string_append (said, "-");
}

static void
say_and_perform (gpointer user_data)
{
  say (user_data);
  grunloop_perform (grunloop_get_current (), say, "later", NULL, NULL);
}

static void
in_the_order_queued (void)
{
  GRunLoop *loop = grunloop_get_main ();
  said = g_string_new (NULL);
  g_assert_true (grunloop_perform (loop, say_and_perform, "a", let_go, NULL));
  g_assert_true (grunloop_perform (loop, say, "b", NULL, NULL));
  g_assert_true (grunloop_perform (loop, say, "c", let_go, NULL));
  g_assert_cmpstr (said->str, ==, "");
  turn ();
  g_assert_cmpstr (said->str, ==, "a-bc-later");
  g_string_free (said, TRUE);
}

static void
by_order (void)
{
  GRunLoop *loop = grunloop_get_main ();
  const char *const modes[] = { "elsewhere", GRUNLOOP_MODE_DEFAULT, NULL };
  said = g_string_new (NULL);
  g_assert_true (grunloop_perform_full (loop, modes, -1, 2, G_PRIORITY_DEFAULT, say, "2", NULL, NULL, NULL));
  g_assert_true (grunloop_perform_full (loop, modes, -1, 1, G_PRIORITY_DEFAULT, say, "1", let_go, NULL, NULL));
  turn ();
  g_assert_cmpstr (said->str, ==, "1-2");
  g_string_free (said, TRUE);
}

static void
in_its_modes (void)
{
  GRunLoop *loop = grunloop_get_main ();
  const char *const modes[] = { "reply", NULL };
  said = g_string_new (NULL);
  g_assert_true (grunloop_perform_full (loop, modes, -1, 0, G_PRIORITY_DEFAULT, say, "reply", NULL, NULL, NULL));
  turn ();
  g_assert_cmpstr (said->str, ==, "");
  g_assert_cmpint (grunloop_run_in_mode (loop, "reply", 0, TRUE), ==, GRUNLOOP_RUN_HANDLED_SOURCE);
  g_assert_cmpstr (said->str, ==, "reply");
  g_string_free (said, TRUE);
}

static void
cancelled_ones_do_not_run (void)
{
  GRunLoop *loop = grunloop_get_main ();
  g_autoptr (GRunLoopPerform) queued = NULL;
  GRunLoopPerform *delayed = NULL;
  int gone = 0, calls = 0;
  said = g_string_new (NULL);
  g_assert_true (grunloop_perform_full (loop, NULL, -1, 0, 0, say, "no", NULL, &queued, NULL));
  g_assert_true (grunloop_perform_full (loop, NULL, G_TIME_SPAN_MILLISECOND, 0, 0, count, &calls, NULL, &delayed, NULL));
  g_assert_true (grunloop_perform_ref (delayed) == delayed);
  grunloop_perform_cancel (queued);
  grunloop_perform_cancel (delayed);
  grunloop_perform_cancel (delayed);
  g_assert_true (grunloop_perform_full (loop, NULL, 5 * G_TIME_SPAN_MILLISECOND, 0, 0, count, &gone, NULL, NULL, NULL));
  turn_until (&gone);
  g_assert_cmpstr (said->str, ==, "");
  g_assert_cmpint (calls, ==, 0);
  grunloop_perform_unref (delayed);
  grunloop_perform_unref (delayed);
  g_string_free (said, TRUE);
}

static void
cancelling_lets_go_once (void)
{
  GRunLoop *loop = grunloop_get_main ();
  for (GTimeSpan delay = -1; delay <= G_TIME_SPAN_HOUR; delay += G_TIME_SPAN_HOUR + 1)
    {
      g_autoptr (GRunLoopPerform) perform = NULL;
      int gone = 0;
      g_assert_true (grunloop_perform_full (loop, NULL, delay, 0, 0, say, &gone, count, &perform, NULL));
      grunloop_perform_cancel (perform);
      turn ();
      g_assert_cmpint (gone, ==, 1);
    }
}

static void
never_before_the_delay (void)
{
  int done = 0;
  gint64 start = g_get_monotonic_time ();
  g_assert_true (grunloop_perform_full (grunloop_get_main (), NULL, 30 * G_TIME_SPAN_MILLISECOND, 0, 0, count, &done,
                                        NULL, NULL, NULL));
  turn_until (&done);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 30 * G_TIME_SPAN_MILLISECOND);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/in-the-order-queued", in_the_order_queued);
  g_test_add_func ("/by-order", by_order);
  g_test_add_func ("/in-its-modes", in_its_modes);
  g_test_add_func ("/cancelled-ones-do-not-run", cancelled_ones_do_not_run);
  g_test_add_func ("/cancelling-lets-go-once", cancelling_lets_go_once);
  g_test_add_func ("/never-before-the-delay", never_before_the_delay);
  return g_test_run ();
}
