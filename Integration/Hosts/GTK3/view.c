#include "view.h"

#include "record.h"

static GtkWidget *
styled (GtkWidget *widget, const char *class)
{
  gtk_style_context_add_class (gtk_widget_get_style_context (widget), class);
  return widget;
}

static GtkWidget *
stack (GtkOrientation orientation, int spacing, ...)
{
  GtkWidget *box = gtk_box_new (orientation, spacing);
  va_list children;
  va_start (children, spacing);
  for (GtkWidget *child = va_arg (children, GtkWidget *); child != NULL; child = va_arg (children, GtkWidget *))
    gtk_container_add (GTK_CONTAINER (box), child);
  va_end (children);
  return box;
}

static void
add_style (const char *path)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  g_autoptr (GError) error = NULL;
  if (!gtk_css_provider_load_from_path (provider, path, &error))
    g_error ("%s", error->message);
  gtk_style_context_add_provider_for_screen (gdk_screen_get_default (), GTK_STYLE_PROVIDER (provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
view_make (View *view, GtkApplication *application, const char *style)
{
  GtkWidget *header = gtk_header_bar_new ();
  GtkWidget *events = styled (gtk_event_box_new (), "track");

  add_style (style);
  view->window = gtk_application_window_new (application);
  view->spinner = gtk_spinner_new ();
  view->title = styled (gtk_label_new ("Counting primes …"), "total");
  view->bar = gtk_progress_bar_new ();
  view->list = styled (gtk_list_box_new (), "rows");
  view->track = gtk_fixed_new ();
  view->tile = styled (gtk_label_new ("drag me"), "tile");
  view->status = styled (gtk_label_new (NULL), "status");
  view->dialog_button = gtk_button_new_with_label ("Dialog …");
  view->private_button = gtk_button_new_with_label ("Private run");
  view->drag = gtk_gesture_drag_new (events);
  view->tile_at = 4;

  gtk_header_bar_set_title (GTK_HEADER_BAR (header), "Primes");
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (header), TRUE);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), view->spinner);
  gtk_window_set_titlebar (GTK_WINDOW (view->window), header);
  gtk_window_set_title (GTK_WINDOW (view->window), "Primes");
  gtk_widget_set_size_request (view->window, 460, 540);
  gtk_window_set_resizable (GTK_WINDOW (view->window), FALSE);

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (view->list), GTK_SELECTION_NONE);
  gtk_widget_set_vexpand (view->list, TRUE);
  gtk_label_set_xalign (GTK_LABEL (view->title), 0);
  gtk_label_set_xalign (GTK_LABEL (view->status), 1);
  gtk_widget_set_hexpand (view->status, TRUE);
  gtk_widget_set_size_request (events, -1, 40);
  gtk_fixed_put (GTK_FIXED (view->track), view->tile, view->tile_at, 4);
  gtk_container_add (GTK_CONTAINER (events), view->track);
  gtk_container_add (
    GTK_CONTAINER (view->window),
    styled (stack (GTK_ORIENTATION_VERTICAL, 12, view->title, view->bar, view->list, events,
                   stack (GTK_ORIENTATION_HORIZONTAL, 8, view->dialog_button, view->private_button, view->status, NULL),
                   NULL),
            "content"));
  gtk_widget_show_all (view->window);
}

/* What it shows. */

void
view_set_busy (View *view, gboolean is_busy)
{
  g_object_set (view->spinner, "active", is_busy, NULL);
}

void
view_set_title (View *view, const char *text)
{
  gtk_label_set_text (GTK_LABEL (view->title), text);
}

void
view_set_status (View *view, const char *text)
{
  gtk_label_set_text (GTK_LABEL (view->status), text);
}

void
view_add_row (View *view, const char *left, const char *right)
{
  GtkWidget *badge = styled (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), "badge");
  GtkWidget *name = gtk_label_new (left);
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_container_add (GTK_CONTAINER (view->list),
                     stack (GTK_ORIENTATION_HORIZONTAL, 10, badge, name, gtk_label_new (right), NULL));
  gtk_widget_show_all (view->list);
  view->badges[view->rows++] = badge;
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (view->bar), view->rows / (double) G_N_ELEMENTS (view->badges));
}

/* The dialog. */

static gboolean
keep_window (void)
{
  return TRUE;
}

void
view_open_dialog (View *view, void (*on_close) (void))
{
  GtkWidget *header = gtk_header_bar_new ();
  GtkWidget *text = gtk_label_new ("The loop runs in the mode modalPanel now.\nThe window behind is alive.");

  view->dialog = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  view->close_button = gtk_button_new_with_label ("Close");
  gtk_header_bar_set_title (GTK_HEADER_BAR (header), "Modal");
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (header), TRUE);
  gtk_window_set_titlebar (GTK_WINDOW (view->dialog), header);
  gtk_window_set_title (GTK_WINDOW (view->dialog), "Modal");
  gtk_window_set_transient_for (GTK_WINDOW (view->dialog), GTK_WINDOW (view->window));
  gtk_window_set_position (GTK_WINDOW (view->dialog), GTK_WIN_POS_CENTER_ON_PARENT);
  gtk_window_set_modal (GTK_WINDOW (view->dialog), TRUE);
  gtk_window_set_resizable (GTK_WINDOW (view->dialog), FALSE);
  gtk_widget_set_halign (view->close_button, GTK_ALIGN_END);
  gtk_container_add (GTK_CONTAINER (view->dialog),
                     styled (stack (GTK_ORIENTATION_VERTICAL, 16, text, view->close_button, NULL), "content"));
  g_signal_connect_swapped (view->close_button, "clicked", G_CALLBACK (on_close), NULL);
  g_signal_connect_swapped (view->dialog, "delete-event", G_CALLBACK (on_close), NULL);
  g_signal_connect_swapped (view->dialog, "delete-event", G_CALLBACK (keep_window), NULL);
  gtk_widget_show_all (view->dialog);
}

void
view_close_dialog (View *view)
{
  gtk_widget_destroy (view->dialog);
  view->dialog = NULL;
  view->close_button = NULL;
}

/* The tile. */

/* Whether the button went down on it. */
gboolean
view_grab_tile (View *view)
{
  double x = 0;
  gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (view->drag), &x, NULL);
  view->grabbed_at = view->tile_at;
  return x >= view->tile_at && x < view->tile_at + gtk_widget_get_allocated_width (view->tile);
}

void
view_move_tile (View *view)
{
  double x = 0;
  int room = gtk_widget_get_allocated_width (view->track) - gtk_widget_get_allocated_width (view->tile) - 4;
  gtk_gesture_drag_get_offset (GTK_GESTURE_DRAG (view->drag), &x, NULL);
  view->tile_at = CLAMP (view->grabbed_at + (int) x, 4, room);
  gtk_fixed_move (GTK_FIXED (view->track), view->tile, view->tile_at, 4);
}

/* Where things are. */

static void
say_place (const char *name, GtkWidget *widget)
{
  int x, y;
  if (widget == NULL || !gtk_widget_translate_coordinates (widget, gtk_widget_get_toplevel (widget), 0, 0, &x, &y))
    return;
  record_say ("place %s %d %d %d %d", name, x, y, gtk_widget_get_allocated_width (widget),
              gtk_widget_get_allocated_height (widget));
}

void
view_say_places (View *view)
{
  say_place ("spinner", view->spinner);
  say_place ("bar", view->bar);
  say_place ("track", view->track);
  say_place ("tile", view->tile);
  say_place ("dialog", view->dialog_button);
  say_place ("private", view->private_button);
  say_place ("close", view->close_button);
  for (int row = 0; row < view->rows; row++)
    {
      g_autofree char *name = g_strdup_printf ("badge%d", row + 1);
      say_place (name, view->badges[row]);
    }
}
