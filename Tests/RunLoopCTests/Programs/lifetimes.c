#include "check.h"

#include <malloc.h>

typedef struct
{
  int calls, gone, done;
  gpointer kept;
  GThread *gone_on;
} Record;

static void
gone (gpointer user_data)
{
  Record *record = user_data;
  record->gone_on = g_thread_self ();
  g_atomic_int_inc (&record->gone);
}

static void
fired (GRunLoopTimer *timer, gpointer user_data)
{
  Record *record = user_data;
  record->calls++;
  g_assert_true (grunloop_item_is_valid (timer));
  if (!record->kept)
    record->kept = grunloop_item_ref (timer);
  record->done = record->calls >= 3;
}

static void
the_loop_holds_what_is_in_it (void)
{
  Record record = { 0 };
  GRunLoopTimer *timer = grunloop_timer_new (1, TRUE, fired, &record, gone);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, NULL));
  grunloop_item_unref (timer);
  turn_until (&record.done);
  /* The handle is the same as ever, and the reference that was taken in the call-back is good. */
  g_assert_true (record.kept == timer);
  g_assert_cmpint (record.gone, ==, 0);
  grunloop_item_invalidate (record.kept);
  g_assert_cmpint (record.gone, ==, 1);
  g_assert_false (grunloop_item_is_valid (record.kept));
  grunloop_item_unref (record.kept);
  g_assert_cmpint (record.gone, ==, 1);
}

static void
last_one_fired (GRunLoopTimer *timer, gpointer user_data)
{
  Record *record = user_data;
  /* The program's last reference goes in the middle of the call. */
  grunloop_item_unref (timer);
  g_assert_true (grunloop_item_is_valid (timer));
  record->calls++;
}

static void
the_call_holds_its_item (void)
{
  Record record = { 0 };
  GRunLoopTimer *timer = grunloop_timer_new (1, FALSE, last_one_fired, &record, gone);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, NULL));
  turn_until (&record.gone);
  g_assert_cmpint (record.calls, ==, 1);
  g_assert_cmpint (record.gone, ==, 1);
}

static void
unused_ones_let_go (void)
{
  Record record = { 0 };
  grunloop_item_unref (grunloop_timer_new (1, FALSE, fired, &record, gone));
  grunloop_item_unref (grunloop_source_new ((GRunLoopSourceFunc) fired, &record, gone));
  grunloop_item_unref (
      grunloop_observer_new (GRUNLOOP_ENTRY, FALSE, 0, (GRunLoopObserverFunc) fired, &record, gone));
  grunloop_item_unref (
      grunloop_descriptor_source_new (0, G_IO_IN, 0, 0, (GRunLoopDescriptorFunc) fired, &record, gone));
  g_assert_cmpint (record.gone, ==, 4);
  g_assert_cmpint (record.calls, ==, 0);
}

static gpointer
invalidates (gpointer item)
{
  grunloop_item_invalidate (item);
  return NULL;
}

static void
on_the_loops_thread (void)
{
  Record record = { 0 };
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_HOUR, FALSE, fired, &record, gone);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, NULL));
  g_thread_join (g_thread_new (NULL, invalidates, timer));
  turn_until (&record.gone);
  g_assert_true (record.gone_on == g_thread_self ());
}

static void
round_of_items (Record *record)
{
  GRunLoop *loop = grunloop_get_main ();
  for (int i = 0; i < 1000; i++)
    {
      g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_HOUR, TRUE, fired, record, gone);
      g_autoptr (GRunLoopPerform) perform = NULL;
      grunloop_add (loop, timer, GRUNLOOP_MODE_COMMON, NULL);
      grunloop_perform_full (loop, NULL, -1, 0, 0, count, &record->calls, NULL, &perform, NULL);
      grunloop_perform (loop, count, &record->calls, NULL, NULL);
      grunloop_item_invalidate (timer);
    }
  turn ();
}

static void
nothing_is_left (void)
{
  Record record = { 0 };
  for (int i = 0; i < 5; i++)
    round_of_items (&record);
  size_t before = mallinfo2 ().uordblks;
  for (int i = 0; i < 50; i++)
    round_of_items (&record);
  g_assert_cmpint (record.gone, ==, 55 * 1000);
  g_assert_cmpint (record.calls, ==, 2 * 55 * 1000);
  /* A thousand of anything would be far more. */
  g_assert_cmpint (mallinfo2 ().uordblks, <, before + 8192);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/the-loop-holds-what-is-in-it", the_loop_holds_what_is_in_it);
  g_test_add_func ("/the-call-holds-its-item", the_call_holds_its_item);
  g_test_add_func ("/unused-ones-let-go", unused_ones_let_go);
  g_test_add_func ("/on-the-loops-thread", on_the_loops_thread);
  g_test_add_func ("/nothing-is-left", nothing_is_left);
  return g_test_run ();
}
