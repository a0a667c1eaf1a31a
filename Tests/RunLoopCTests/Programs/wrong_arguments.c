#include "check.h"

#include <signal.h>

/* Every function with what it must not be given: each is one critical warning that names it, and nothing happens. */

static void
never (gpointer user_data)
{
  g_assert_not_reached ();
}

#define TIMER_FUNC ((GRunLoopTimerFunc) never)
#define SOURCE_FUNC ((GRunLoopSourceFunc) never)
#define DEFAULT GRUNLOOP_MODE_DEFAULT

/* Not a loop, whatever else it is. */
static void
no_loop (gconstpointer wrong)
{
  GRunLoop *loop = (gpointer) wrong;
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (1, FALSE, TIMER_FUNC, NULL, NULL);
  g_assert_null (CRITICAL (grunloop_ref, (loop)));
  CRITICAL (grunloop_unref, (loop));
  g_assert_null (CRITICAL (grunloop_get_context, (loop)));
  g_assert_false (CRITICAL (grunloop_is_current, (loop)));
  g_assert_null (CRITICAL (grunloop_to_string, (loop)));
  CRITICAL (grunloop_run, (loop));
  CRITICAL (grunloop_run_until, (loop, 0));
  g_assert_false (CRITICAL (grunloop_run_before, (loop, DEFAULT, 0)));
  g_assert_cmpint (CRITICAL (grunloop_run_in_mode, (loop, DEFAULT, 0, FALSE)), ==, GRUNLOOP_RUN_REFUSED);
  g_assert_cmpint (CRITICAL (grunloop_get_host_descriptor, (loop, NULL)), ==, -1);
  g_assert_false (CRITICAL (grunloop_iterate, (loop)));
  CRITICAL (grunloop_stop, (loop));
  CRITICAL (grunloop_wake_up, (loop));
  g_assert_false (CRITICAL (grunloop_is_waiting, (loop)));
  g_assert_cmpint (CRITICAL (grunloop_get_spin_duration, (loop)), ==, 0);
  CRITICAL (grunloop_set_spin_duration, (loop, 1));
  g_assert_false (CRITICAL (grunloop_add_common_mode, (loop, "x", NULL)));
  g_assert_null (CRITICAL (grunloop_dup_current_mode, (loop)));
  g_assert_null (CRITICAL (grunloop_dup_host_mode, (loop)));
  CRITICAL (grunloop_set_host_mode, (loop, "x"));
  g_assert_false (CRITICAL (grunloop_get_keep_alive, (loop)));
  CRITICAL (grunloop_set_keep_alive, (loop, TRUE));
  g_assert_false (CRITICAL (grunloop_get_next_fire_date, (loop, "x", NULL, NULL)));
  g_assert_false (CRITICAL (grunloop_perform, (loop, never, NULL, NULL, NULL)));
  g_assert_false (CRITICAL (grunloop_perform_full, (loop, NULL, 0, 0, 0, never, NULL, NULL, NULL, NULL)));
  g_assert_false (CRITICAL (grunloop_perform_and_wait, (loop, 0, never, NULL, NULL)));
  g_assert_false (CRITICAL (grunloop_add, (loop, timer, DEFAULT, NULL)));
  CRITICAL (grunloop_remove, (loop, timer, DEFAULT));
  g_assert_false (CRITICAL (grunloop_contains, (loop, timer, DEFAULT)));
  CRITICAL_DONE ();
}

/* Not an item, whatever else it is. */
static void
no_item (gconstpointer wrong)
{
  gpointer item = (gpointer) wrong;
  GRunLoop *loop = grunloop_get_main ();
  g_assert_false (CRITICAL (grunloop_add, (loop, item, DEFAULT, NULL)));
  CRITICAL (grunloop_remove, (loop, item, DEFAULT));
  g_assert_false (CRITICAL (grunloop_contains, (loop, item, DEFAULT)));
  g_assert_null (CRITICAL (grunloop_item_ref, (item)));
  CRITICAL (grunloop_item_unref, (item));
  CRITICAL (grunloop_item_invalidate, (item));
  g_assert_false (CRITICAL (grunloop_item_is_valid, (item)));
  g_assert_null (CRITICAL (grunloop_item_ref_loop, (item)));
  g_assert_cmpint (CRITICAL (grunloop_item_get_order, (item)), ==, 0);
  g_assert_cmpint (CRITICAL (grunloop_item_get_priority, (item)), ==, 0);
  CRITICAL (grunloop_timer_get_clock, (item));
  CRITICAL (grunloop_timer_get_fire_date, (item));
  CRITICAL (grunloop_timer_set_fire_date, (item, 0));
  CRITICAL (grunloop_timer_get_interval, (item));
  CRITICAL (grunloop_timer_get_repeats, (item));
  CRITICAL (grunloop_timer_get_tolerance, (item));
  CRITICAL (grunloop_timer_set_tolerance, (item, 0));
  CRITICAL (grunloop_timer_fire, (item));
  CRITICAL (grunloop_source_signal, (item));
  CRITICAL (grunloop_source_signal_without_wake_up, (item));
  CRITICAL (grunloop_source_is_signalled, (item));
  CRITICAL (grunloop_observer_get_activities, (item));
  CRITICAL (grunloop_observer_get_repeats, (item));
  g_assert_cmpint (CRITICAL (grunloop_descriptor_source_get_fd, (item)), ==, -1);
  CRITICAL (grunloop_descriptor_source_get_events, (item));
  CRITICAL (grunloop_descriptor_source_set_events, (item, G_IO_IN));
  CRITICAL (grunloop_signal_source_get_signum, (item));
  CRITICAL (grunloop_child_source_get_pid, (item));
  CRITICAL (grunloop_perform_cancel, (item));
  g_assert_null (CRITICAL (grunloop_perform_ref, (item)));
  CRITICAL (grunloop_perform_unref, (item));
  CRITICAL_DONE ();
}

static void
handles_that_are_none (void)
{
  static const char text[64] = "not a handle";
  g_autofree gpointer memory = g_malloc0 (4096);
  gconstpointer wrong[] = { NULL, (gpointer) 1, (gpointer) -1, text, memory, g_main_context_default () };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      no_loop (wrong[i]);
      no_item (wrong[i]);
    }
}

static void
handles_that_were_given_up (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  GRunLoop *loop = grunloop_ref_for_context (context);
  GRunLoopTimer *timer = grunloop_timer_new (1, FALSE, TIMER_FUNC, NULL, NULL);
  GRunLoopPerform *perform;
  g_assert_true (grunloop_perform_full (loop, NULL, -1, 0, 0, never, NULL, NULL, &perform, NULL));
  grunloop_unref (loop);
  grunloop_item_unref (timer);
  grunloop_perform_unref (perform);
  no_loop (loop);
  no_item (timer);
  no_item (perform);

  /* Nor is an old one taken for a new one. */
  g_autoptr (GRunLoopTimer) next = grunloop_timer_new (1, FALSE, TIMER_FUNC, NULL, NULL);
  no_item (timer);

  /* One that the loop still holds is given up all the same. */
  GRunLoopSource *source = grunloop_source_new (SOURCE_FUNC, NULL, NULL);
  g_assert_true (grunloop_add (grunloop_get_main (), source, "elsewhere", NULL));
  grunloop_item_unref (source);
  no_item (source);
}

static void
handles_of_another_kind (void)
{
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (1, FALSE, TIMER_FUNC, NULL, NULL);
  g_autoptr (GRunLoopSource) source = grunloop_source_new (SOURCE_FUNC, NULL, NULL);
  no_loop (timer);
  no_item (grunloop_get_main ());
  CRITICAL (grunloop_source_signal, ((gpointer) timer));
  CRITICAL (grunloop_timer_fire, ((gpointer) source));
  CRITICAL (grunloop_observer_get_repeats, ((gpointer) source));
  CRITICAL (grunloop_descriptor_source_get_fd, ((gpointer) source));
  CRITICAL (grunloop_perform_cancel, ((gpointer) source));
  CRITICAL_DONE ();
}

static void
modes_that_are_none (void)
{
  GRunLoop *loop = grunloop_get_main ();
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (1, FALSE, TIMER_FUNC, NULL, NULL);
  const char *wrong[] = { NULL, "", "\xff\xfe", GRUNLOOP_MODE_COMMON };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (CRITICAL (grunloop_run_before, (loop, wrong[i], 0)));
      g_assert_cmpint (CRITICAL (grunloop_run_in_mode, (loop, wrong[i], 0, FALSE)), ==, GRUNLOOP_RUN_REFUSED);
      g_assert_false (CRITICAL (grunloop_add_common_mode, (loop, wrong[i], NULL)));
      CRITICAL (grunloop_set_host_mode, (loop, wrong[i]));
      if (i == 3)
        break;
      const char *const modes[] = { DEFAULT, wrong[i], NULL };
      const char *const *list = i == 0 ? modes + 2 : modes;
      g_assert_false (CRITICAL (grunloop_perform_full, (loop, list, -1, 0, 0, never, NULL, NULL, NULL, NULL)));
      g_assert_false (CRITICAL (grunloop_get_next_fire_date, (loop, wrong[i], NULL, NULL)));
      g_assert_false (CRITICAL (grunloop_add, (loop, timer, wrong[i], NULL)));
      CRITICAL (grunloop_remove, (loop, timer, wrong[i]));
      g_assert_false (CRITICAL (grunloop_contains, (loop, timer, wrong[i])));
    }
  CRITICAL_DONE ();
}

static void
what_no_item_is_made_of (void)
{
  GRunLoop *loop = grunloop_get_main ();
  g_assert_null (CRITICAL (grunloop_timer_new, (1, FALSE, NULL, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_timer_new_full, (0, 0, 0, FALSE, 0, 0, 0, NULL, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_timer_new_full, (99, 0, 0, FALSE, 0, 0, 0, TIMER_FUNC, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_timer_new_full, (0, 0, 0, FALSE, -1, 0, 0, TIMER_FUNC, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_source_new, (NULL, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_source_new_full, (0, 0, NULL, NULL, NULL, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_observer_new, (GRUNLOOP_ENTRY, TRUE, 0, NULL, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_descriptor_source_new, (0, G_IO_IN, 0, 0, NULL, NULL, NULL)));
  g_assert_null (
      CRITICAL (grunloop_descriptor_source_new, (-1, G_IO_IN, 0, 0, (GRunLoopDescriptorFunc) never, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_signal_source_new, (SIGUSR1, 0, NULL, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_signal_source_new, (SIGSEGV, 0, (GRunLoopSignalFunc) never, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_child_source_new, (getpid (), 0, NULL, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_child_source_new, (0, 0, (GRunLoopChildFunc) never, NULL, NULL)));
  g_assert_null (CRITICAL (grunloop_foreign_source_new, (NULL)));
  g_assert_false (CRITICAL (grunloop_perform, (loop, NULL, NULL, NULL, NULL)));
  g_assert_false (CRITICAL (grunloop_perform_full, (loop, NULL, -1, 0, 0, NULL, NULL, NULL, NULL, NULL)));
  g_assert_false (CRITICAL (grunloop_perform_and_wait, (loop, 0, NULL, NULL, NULL)));
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (1, FALSE, TIMER_FUNC, NULL, NULL);
  CRITICAL (grunloop_timer_set_tolerance, (timer, -1));
  CRITICAL_DONE ();
}

static gpointer
on_wrong_thread (gpointer timer)
{
  GRunLoop *loop = grunloop_get_main ();
  CRITICAL (grunloop_run, (loop));
  CRITICAL (grunloop_run_until, (loop, 0));
  g_assert_false (CRITICAL (grunloop_run_before, (loop, DEFAULT, 0)));
  g_assert_cmpint (CRITICAL (grunloop_run_in_mode, (loop, DEFAULT, 0, FALSE)), ==, GRUNLOOP_RUN_REFUSED);
  g_assert_false (CRITICAL (grunloop_iterate, (loop)));
  CRITICAL (grunloop_timer_fire, (timer));
  CRITICAL_DONE ();
  return NULL;
}

static void
the_wrong_thread (void)
{
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_HOUR, FALSE, TIMER_FUNC, NULL, NULL);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, DEFAULT, NULL));
  g_thread_join (g_thread_new (NULL, on_wrong_thread, timer));
  grunloop_item_invalidate (timer);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  grunloop_get_main ();
  g_test_add_func ("/handles-that-are-none", handles_that_are_none);
  g_test_add_func ("/handles-that-were-given-up", handles_that_were_given_up);
  g_test_add_func ("/handles-of-another-kind", handles_of_another_kind);
  g_test_add_func ("/modes-that-are-none", modes_that_are_none);
  g_test_add_func ("/what-no-item-is-made-of", what_no_item_is_made_of);
  g_test_add_func ("/the-wrong-thread", the_wrong_thread);
  return g_test_run ();
}
