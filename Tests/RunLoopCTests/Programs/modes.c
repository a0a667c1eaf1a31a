#include "check.h"

static char *seen;

static void
look (gpointer user_data)
{
  seen = grunloop_dup_current_mode (grunloop_get_current ());
}

static void
never (GRunLoopTimer *timer, gpointer user_data)
{
  g_assert_not_reached ();
}

static void
the_mode_of_the_run (void)
{
  GRunLoop *loop = grunloop_get_main ();
  const char *const modes[] = { "mine", NULL };
  g_assert_null (grunloop_dup_current_mode (loop));
  grunloop_perform_full (loop, modes, -1, 0, 0, look, NULL, NULL, NULL, NULL);
  grunloop_run_in_mode (loop, "mine", 0, FALSE);
  g_assert_cmpstr (seen, ==, "mine");
  g_clear_pointer (&seen, g_free);
}

static void
the_mode_when_glib_drives (void)
{
  GRunLoop *loop = grunloop_get_main ();
  g_autofree char *before = grunloop_dup_host_mode (loop);
  g_assert_cmpstr (before, ==, GRUNLOOP_MODE_DEFAULT);
  grunloop_set_host_mode (loop, GRUNLOOP_MODE_MODAL_PANEL);
  g_autofree char *after = grunloop_dup_host_mode (loop);
  g_assert_cmpstr (after, ==, GRUNLOOP_MODE_MODAL_PANEL);
  const char *const modes[] = { GRUNLOOP_MODE_MODAL_PANEL, NULL };
  grunloop_perform_full (loop, modes, -1, 0, 0, look, NULL, NULL, NULL, NULL);
  while (!seen)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (seen, ==, GRUNLOOP_MODE_MODAL_PANEL);
  grunloop_set_host_mode (loop, GRUNLOOP_MODE_DEFAULT);
  g_clear_pointer (&seen, g_free);
}

static void
the_common_set_grows (void)
{
  GRunLoop *loop = grunloop_get_main ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_HOUR, FALSE, never, NULL, NULL);
  GRunLoopClock clock = GRUNLOOP_CLOCK_WALL;
  gint64 date = 0;
  g_assert_true (grunloop_add (loop, timer, GRUNLOOP_MODE_COMMON, NULL));
  g_assert_false (grunloop_contains (loop, timer, "drag"));
  g_assert_false (grunloop_get_next_fire_date (loop, "drag", &clock, &date));
  g_assert_cmpint (date, ==, 0);
  g_assert_true (grunloop_add_common_mode (loop, "drag", &error));
  g_assert_true (grunloop_add_common_mode (loop, "drag", &error));
  g_assert_true (grunloop_contains (loop, timer, "drag"));
  g_assert_true (grunloop_get_next_fire_date (loop, "drag", &clock, &date));
  g_assert_cmpint (clock, ==, GRUNLOOP_CLOCK_MONOTONIC);
  g_assert_cmpint (date, ==, grunloop_timer_get_fire_date (timer));
  g_assert_true (grunloop_get_next_fire_date (loop, GRUNLOOP_MODE_EVENT_TRACKING, NULL, NULL));
  g_assert_false (grunloop_get_next_fire_date (loop, GRUNLOOP_MODE_CONNECTION_REPLY, NULL, NULL));
  grunloop_item_invalidate (timer);

  /* One that was run as a private mode stays one. */
  g_autoptr (GRunLoopTimer) other = grunloop_timer_new (G_TIME_SPAN_HOUR, FALSE, never, NULL, NULL);
  g_assert_true (grunloop_add (loop, other, "private", NULL));
  grunloop_run_in_mode (loop, "private", 0, FALSE);
  g_assert_false (grunloop_add_common_mode (loop, "private", &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_REFUSED);
  grunloop_item_invalidate (other);
}

static void
an_item_lives_in_one_loop (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GRunLoop) other = grunloop_ref_for_context (context);
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_HOUR, FALSE, never, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (grunloop_item_ref_loop (timer));
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, &error));
  g_assert_false (grunloop_add (other, timer, GRUNLOOP_MODE_DEFAULT, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_REFUSED);
  g_clear_error (&error);
  grunloop_item_invalidate (timer);
  g_assert_false (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_DEFAULT, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_REFUSED);
}

static gboolean
quit (gpointer user_data)
{
  grunloop_stop (grunloop_get_current ());
  return G_SOURCE_REMOVE;
}

static gpointer
kept_alive (gpointer user_data)
{
  GRunLoop *loop = grunloop_get_current ();
  GSource *timeout = g_timeout_source_new (5);
  g_source_set_callback (timeout, quit, NULL, NULL);
  g_source_attach (timeout, grunloop_get_context (loop));
  g_source_unref (timeout);
  g_assert_false (grunloop_get_keep_alive (loop));
  g_assert_cmpint (grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER, FALSE), ==,
                   GRUNLOOP_RUN_FINISHED);
  grunloop_set_keep_alive (loop, TRUE);
  g_assert_true (grunloop_get_keep_alive (loop));
  g_assert_cmpint (grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER, FALSE), ==,
                   GRUNLOOP_RUN_STOPPED);
  return NULL;
}

static void
others_may_keep_it_alive (void)
{
  g_thread_join (g_thread_new (NULL, kept_alive, NULL));
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/the-mode-of-the-run", the_mode_of_the_run);
  g_test_add_func ("/the-mode-when-glib-drives", the_mode_when_glib_drives);
  g_test_add_func ("/the-common-set-grows", the_common_set_grows);
  g_test_add_func ("/an-item-lives-in-one-loop", an_item_lives_in_one_loop);
  g_test_add_func ("/others-may-keep-it-alive", others_may_keep_it_alive);
  return g_test_run ();
}
