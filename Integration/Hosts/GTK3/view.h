/* The window's widgets. */

#pragma once

#include <gtk/gtk.h>

typedef struct {
  GtkWidget *window;
  GtkWidget *dialog_button;
  GtkWidget *private_button;
  GtkGesture *drag;
  /* Those below are the view's own affair. */
  GtkWidget *spinner, *title, *bar, *list, *track, *tile, *status, *dialog, *close_button;
  GtkWidget *badges[10];
  int rows;
  int tile_at, grabbed_at;
} View;

void view_make (View *view, GtkApplication *application, const char *style);
void view_set_busy (View *view, gboolean is_busy);
void view_set_title (View *view, const char *text);
void view_set_status (View *view, const char *text);
void view_add_row (View *view, const char *left, const char *right);
void view_open_dialog (View *view, void (*on_close) (void));
void view_close_dialog (View *view);
gboolean view_grab_tile (View *view);
void view_move_tile (View *view);
/* Says where a pointer finds them, in pixels of their window. */
void view_say_places (View *view);
