/* GTK 3 drives, in C: the loop is called through the C library, and the work is Swift's.
 * rule: E9, C1, G2, M6 */

#include <signal.h>

#include <grunloop.h>

#include <primes.h>
#include "record.h"
#include "view.h"

static View view;

/* Work in the background. It comes back on this thread, as the main actor's does. */

static void
add_range (ptrdiff_t first, ptrdiff_t last, ptrdiff_t count, void *data)
{
  g_autofree char *range = g_strdup_printf ("%td – %td", first, last);
  g_autofree char *number = g_strdup_printf ("%td", count);
  view_add_row (&view, range, number);
  record_count (EVENT_ROW);
}

static void
finish (ptrdiff_t total, void *data)
{
  g_autofree char *text = g_strdup_printf ("%td primes", total);
  view_set_busy (&view, FALSE);
  view_set_title (&view, text);
  record_say ("done: %s", text);
}

static void
tick (void *data)
{
  record_count (EVENT_ACTOR);
}

/* Runs in other modes. */

static void
run (const char *mode, GTimeSpan duration)
{
  record_begin (mode);
  record_end (grunloop_run_in_mode (grunloop_get_main (), mode, duration, FALSE));
}

static void
stop (void)
{
  grunloop_stop (grunloop_get_main ());
}

/* Returns when the dialog was closed. Meanwhile the window draws, the list is filled, the main actor lives. */
static void
show_dialog (void)
{
  view_open_dialog (&view, stop);
  run (GRUNLOOP_MODE_MODAL_PANEL, GRUNLOOP_FOREVER);
  view_close_dialog (&view);
}

static void
run_privately (void)
{
  run ("private", 300 * G_TIME_SPAN_MILLISECOND);
}

/* Returns when the button was let go. What belongs to the default mode alone does not come in between. */
static void
begin_drag (void)
{
  if (view_grab_tile (&view))
    run (GRUNLOOP_MODE_EVENT_TRACKING, GRUNLOOP_FOREVER);
}

static void
move (void)
{
  view_move_tile (&view);
}

static void
end_drag (void)
{
  g_autofree char *mode = grunloop_dup_current_mode (grunloop_get_main ());
  if (g_strcmp0 (mode, GRUNLOOP_MODE_EVENT_TRACKING) == 0)
    stop ();
}

static void
painted (void)
{
  g_autofree char *status = record_status ();
  record_count (EVENT_FRAME);
  view_set_status (&view, status);
}

static void
say_places (void)
{
  view_say_places (&view);
}

static void
activate (GtkApplication *application, const char *style)
{
  view_make (&view, application, style);
  record_start (say_places);
  g_signal_connect_swapped (view.dialog_button, "clicked", G_CALLBACK (show_dialog), NULL);
  g_signal_connect_swapped (view.private_button, "clicked", G_CALLBACK (run_privately), NULL);
  g_signal_connect_swapped (view.drag, "drag-begin", G_CALLBACK (begin_drag), NULL);
  g_signal_connect_swapped (view.drag, "drag-update", G_CALLBACK (move), NULL);
  g_signal_connect_swapped (view.drag, "drag-end", G_CALLBACK (end_drag), NULL);
  g_signal_connect_swapped (gtk_widget_get_frame_clock (view.window), "after-paint", G_CALLBACK (painted), NULL);
  view_set_busy (&view, TRUE);
  primes_count (add_range, finish, NULL);
  primes_tick (tick, NULL);
}

static void
terminated (GRunLoopSignalSource *source, gpointer application)
{
  g_application_quit (application);
  /* GTK returns once it is back from the run of a dialog, if one is open. */
  stop ();
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application = gtk_application_new ("org.example.Primes", G_APPLICATION_NON_UNIQUE);
  g_autoptr (GRunLoopSignalSource) signal = NULL;

  if (argc < 2)
    g_error ("usage: %s STYLE.css", argv[0]);
  /* In the default context from here on, with the main actor. */
  signal = grunloop_signal_source_new (SIGTERM, G_PRIORITY_DEFAULT, terminated, application, NULL);
  grunloop_add (grunloop_get_main (), signal, GRUNLOOP_MODE_COMMON, NULL);
  g_signal_connect (application, "activate", G_CALLBACK (activate), argv[1]);
  return g_application_run (G_APPLICATION (application), 0, NULL);
}
