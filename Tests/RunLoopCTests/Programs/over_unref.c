#include "check.h"

#include <signal.h>
#include <sys/wait.h>

/* Call-backs that give up a reference too many. The program has given up its own at once, as g_autoptr does, so that only
 * the call's own is left; that one is not to be had, and the handle is none once the item is over. */

static gpointer stale;
static int calls;

static void
over_unref (gpointer item)
{
  CRITICAL (grunloop_item_unref, (item));
  CRITICAL (grunloop_item_unref, (item));
  CRITICAL_DONE ();
  /* Good for the rest of the call, and what was taken in it can be given up. */
  g_assert_true (grunloop_item_ref (item) == item);
  grunloop_item_unref (item);
  CRITICAL (grunloop_item_unref, (item));
  CRITICAL_DONE ();
  grunloop_item_get_order (item);
  stale = item;
  calls++;
}

/* Adds an item, gives it up, and turns the loop until it has called. */
static void
fires (gpointer item)
{
  calls = 0;
  g_assert_true (grunloop_add (grunloop_get_main (), item, GRUNLOOP_MODE_DEFAULT, NULL));
  grunloop_item_unref (item);
  turn_until (&calls);
  /* Between the calls nobody has one. */
  g_assert_false (CRITICAL (grunloop_item_is_valid, (stale)));
  CRITICAL (grunloop_item_unref, (stale));
  CRITICAL_DONE ();
}

static void
timer_fired (GRunLoopTimer *timer, gpointer user_data)
{
  over_unref (timer);
}

static void
timers (void)
{
  fires (grunloop_timer_new (1, FALSE, timer_fired, NULL, NULL));
  g_autoptr (GRunLoopTimer) next = grunloop_timer_new (1, FALSE, timer_fired, NULL, NULL);
  g_assert_true (stale != next);
  g_assert_cmpint (CRITICAL (grunloop_timer_get_fire_date, (stale)), ==, 0);
  CRITICAL_DONE ();
}

static void
source_fired (GRunLoopSource *source, gpointer user_data)
{
  over_unref (source);
  grunloop_item_invalidate (source);
}

static void
source_moved (GRunLoopSource *source, GRunLoop *loop, const char *mode, gpointer user_data)
{
  /* The loop is the library's here, and stays good. The program may have a reference to the source still. */
  CRITICAL (grunloop_unref, (loop));
  CRITICAL_DONE ();
  g_assert_true (grunloop_is_current (loop));
  g_atomic_int_inc ((int *) user_data);
}

static void
sources (void)
{
  int moves = 0;
  GRunLoopSource *source = grunloop_source_new_full (0, 0, source_moved, source_moved, source_fired, &moves, NULL);
  grunloop_source_signal (source);
  fires (source);
  g_assert_cmpint (moves, ==, 2);
}

static void
observed (GRunLoopObserver *observer, GRunLoopActivity activity, gpointer user_data)
{
  over_unref (observer);
}

static void
observers (void)
{
  /* Something to turn for. */
  int performs = 0;
  g_assert_true (grunloop_perform (grunloop_get_main (), count, &performs, NULL, NULL));
  fires (grunloop_observer_new (GRUNLOOP_BEFORE_TIMERS, FALSE, 0, observed, NULL, NULL));
}

static void
readable (GRunLoopDescriptorSource *source, GIOCondition events, gpointer user_data)
{
  over_unref (source);
  grunloop_item_invalidate (source);
}

static void
descriptors (void)
{
  int ends[2];
  g_assert_cmpint (pipe (ends), ==, 0);
  g_assert_cmpint (write (ends[1], "x", 1), ==, 1);
  fires (grunloop_descriptor_source_new (ends[0], G_IO_IN, 0, 0, readable, NULL, NULL));
}

static void
signalled (GRunLoopSignalSource *source, gpointer user_data)
{
  over_unref (source);
  grunloop_item_invalidate (source);
}

static void
signals (void)
{
  GRunLoopSignalSource *source = grunloop_signal_source_new (SIGUSR1, 0, signalled, NULL, NULL);
  g_assert_true (grunloop_add (grunloop_get_main (), source, GRUNLOOP_MODE_DEFAULT, NULL));
  raise (SIGUSR1);
  fires (source);
}

static void
child_ended (GRunLoopChildSource *source, int wait_status, gpointer user_data)
{
  over_unref (source);
}

static void
children (void)
{
  pid_t child = fork ();
  if (child == 0)
    _exit (0);
  fires (grunloop_child_source_new (child, 0, child_ended, NULL, NULL));
}

static gboolean
foreign_fired (gpointer item)
{
  /* Its call-back is GLib's, and holds nothing of the item: the program's reference was the last. */
  g_assert_false (CRITICAL (grunloop_item_is_valid, (*(gpointer *) item)));
  CRITICAL (grunloop_item_unref, (*(gpointer *) item));
  CRITICAL_DONE ();
  calls++;
  return G_SOURCE_REMOVE;
}

static void
foreign_sources (void)
{
  gpointer item;
  g_autoptr (GSource) source = g_idle_source_new ();
  g_source_set_callback (source, foreign_fired, &item, NULL);
  item = grunloop_foreign_source_new (source);
  calls = 0;
  g_assert_true (grunloop_add (grunloop_get_main (), item, GRUNLOOP_MODE_DEFAULT, NULL));
  grunloop_item_unref (item);
  turn_until (&calls);
}

static GRunLoopPerform *queued;

static void
performed (gpointer user_data)
{
  grunloop_perform_unref (queued);
  CRITICAL (grunloop_perform_unref, (queued));
  CRITICAL (grunloop_perform_cancel, (queued));
  CRITICAL_DONE ();
  calls++;
}

static void
performs (void)
{
  calls = 0;
  g_assert_true (
      grunloop_perform_full (grunloop_get_main (), NULL, -1, 0, 0, performed, NULL, NULL, &queued, NULL));
  turn_until (&calls);
}

static gpointer
on_thread (gpointer user_data)
{
  GRunLoop *loop = grunloop_get_current ();
  CRITICAL (grunloop_unref, (loop));
  CRITICAL_DONE ();
  g_assert_true (grunloop_is_current (loop));
  g_assert_true (grunloop_ref (loop) == loop);
  return loop;
}

static void
loops (void)
{
  /* The thread that has it, and the process, hold theirs without the program. */
  CRITICAL (grunloop_unref, (grunloop_get_main ()));
  CRITICAL (grunloop_unref, (grunloop_get_current ()));
  CRITICAL_DONE ();
  g_assert_true (grunloop_is_current (grunloop_get_main ()));

  GRunLoop *ended = g_thread_join (g_thread_new (NULL, on_thread, NULL));
  g_assert_false (grunloop_is_current (ended));
  grunloop_unref (ended);
  CRITICAL (grunloop_unref, (ended));
  CRITICAL_DONE ();
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/timers", timers);
  g_test_add_func ("/sources", sources);
  g_test_add_func ("/observers", observers);
  g_test_add_func ("/descriptors", descriptors);
  g_test_add_func ("/signals", signals);
  g_test_add_func ("/children", children);
  g_test_add_func ("/foreign-sources", foreign_sources);
  g_test_add_func ("/performs", performs);
  g_test_add_func ("/loops", loops);
  return g_test_run ();
}
