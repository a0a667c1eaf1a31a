#include "check.h"

typedef struct
{
  int calls, again, scheduled, cancelled, gone;
  GString *said;
} Record;

static void
fired (GRunLoopSource *source, gpointer user_data)
{
  Record *record = user_data;
  record->calls++;
  if (record->again-- > 0)
    grunloop_source_signal (source);
}

static void
scheduled (GRunLoopSource *source, GRunLoop *loop, const char *mode, gpointer user_data)
{
  g_assert_true (loop == grunloop_get_main ());
  g_assert_true (grunloop_item_is_valid (source));
  g_string_append_printf (((Record *) user_data)->said, "+%s", mode);
}

static void
cancelled (GRunLoopSource *source, GRunLoop *loop, const char *mode, gpointer user_data)
{
  g_assert_true (loop == grunloop_get_main ());
  g_string_append_printf (((Record *) user_data)->said, "-%s", mode);
}

static void
gone (gpointer user_data)
{
  Record *record = user_data;
  record->gone++;
  if (record->said)
    g_string_append (record->said, ".");
}

static gpointer
signals (gpointer source)
{
  grunloop_source_signal (source);
  return NULL;
}

static void
fires_once_for_all_signals (void)
{
  Record record = { .again = 1 };
  g_autoptr (GRunLoopSource) source = grunloop_source_new (fired, &record, gone);
  g_assert_true (grunloop_add (grunloop_get_main (), source, GRUNLOOP_MODE_DEFAULT, NULL));
  turn ();
  g_assert_cmpint (record.calls, ==, 0);
  grunloop_source_signal (source);
  grunloop_source_signal (source);
  g_assert_true (grunloop_source_is_signalled (source));
  turn ();
  g_assert_cmpint (record.calls, ==, 2);
  g_assert_false (grunloop_source_is_signalled (source));
  g_thread_join (g_thread_new (NULL, signals, source));
  turn ();
  g_assert_cmpint (record.calls, ==, 3);
  grunloop_item_invalidate (source);
  g_assert_cmpint (record.gone, ==, 1);
}

static void
says_where_it_goes (void)
{
  Record record = { .said = g_string_new (NULL) };
  GRunLoop *loop = grunloop_get_main ();
  g_autoptr (GRunLoopSource) source
      = grunloop_source_new_full (3, G_PRIORITY_DEFAULT, scheduled, cancelled, fired, &record, gone);
  g_assert_true (grunloop_add (loop, source, "one", NULL));
  g_assert_true (grunloop_add (loop, source, "two", NULL));
  g_assert_true (grunloop_add (loop, source, "two", NULL));
  g_assert_true (grunloop_contains (loop, source, "two"));
  grunloop_remove (loop, source, "one");
  grunloop_remove (loop, source, "one");
  g_assert_false (grunloop_contains (loop, source, "one"));
  g_autoptr (GRunLoop) home = grunloop_item_ref_loop (source);
  g_assert_true (home == loop);
  grunloop_item_invalidate (source);
  grunloop_item_invalidate (source);
  g_assert_cmpstr (record.said->str, ==, "+one+two-one-two.");
  g_assert_cmpint (grunloop_item_get_order (source), ==, 3);
  g_string_free (record.said, TRUE);
}

static gpointer
wakes (gpointer user_data)
{
  while (!grunloop_is_waiting (grunloop_get_main ()))
    g_usleep (1000);
  grunloop_source_signal_without_wake_up (user_data);
  g_usleep (20 * G_TIME_SPAN_MILLISECOND);
  g_assert_true (grunloop_source_is_signalled (user_data));
  g_assert_true (grunloop_is_waiting (grunloop_get_main ()));
  grunloop_wake_up (grunloop_get_main ());
  return NULL;
}

static void
may_leave_the_loop_asleep (void)
{
  Record record = { 0 };
  g_autoptr (GRunLoopSource) source = grunloop_source_new (fired, &record, gone);
  g_assert_true (grunloop_add (grunloop_get_main (), source, GRUNLOOP_MODE_DEFAULT, NULL));
  turn ();
  GThread *thread = g_thread_new (NULL, wakes, source);
  g_assert_cmpint (grunloop_run_in_mode (grunloop_get_main (), GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER, TRUE), ==,
                   GRUNLOOP_RUN_HANDLED_SOURCE);
  g_thread_join (thread);
  g_assert_cmpint (record.calls, ==, 1);
  grunloop_item_invalidate (source);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/fires-once-for-all-signals", fires_once_for_all_signals);
  g_test_add_func ("/says-where-it-goes", says_where_it_goes);
  g_test_add_func ("/may-leave-the-loop-asleep", may_leave_the_loop_asleep);
  return g_test_run ();
}
