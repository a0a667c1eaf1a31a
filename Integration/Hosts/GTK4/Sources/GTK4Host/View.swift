import CGtk

/// The window's widgets.
@MainActor final class View {
  private let window: UnsafeMutablePointer<GtkWindow>
  private let spinner = gtk_spinner_new()!
  private let title = gtk_label_new("Counting primes …")!
  private let bar = gtk_progress_bar_new()!
  private let list = gtk_list_box_new()!
  private let track = gtk_fixed_new()!
  private let tile = gtk_label_new("drag me")!
  private let status = gtk_label_new("")!
  let dialogButton = gtk_button_new_with_label("Dialog …")!
  let privateButton = gtk_button_new_with_label("Private run")!
  let drag = gtk_gesture_drag_new()!
  private var dialog: UnsafeMutablePointer<GtkWindow>?
  private var closeButton: UnsafeMutablePointer<GtkWidget>?
  private var badges: [UnsafeMutablePointer<GtkWidget>] = []
  private var tileAt = 4.0
  private var grabbedAt = 4.0

  init(_ application: UnsafeMutablePointer<GtkApplication>) {
    window = gtk_application_window_new(application).asWindow
    gtk_window_set_title(window, "Primes")
    gtk_window_set_default_size(window, 460, 540)
    gtk_window_set_resizable(window, 0)
    addStyle()

    let header = gtk_header_bar_new()!
    gtk_header_bar_pack_start(header.opaque, spinner)
    gtk_window_set_titlebar(window, header)

    for (widget, style) in [(title, "total"), (list, "rows"), (track, "track"), (tile, "tile"), (status, "status")] {
      gtk_widget_add_css_class(widget, style)
    }
    gtk_list_box_set_selection_mode(list.opaque, GTK_SELECTION_NONE)
    gtk_widget_set_vexpand(list, 1)
    gtk_label_set_xalign(title.opaque, 0)
    gtk_label_set_xalign(status.opaque, 1)
    gtk_widget_set_hexpand(status, 1)
    gtk_fixed_put(track.asFixed, tile, tileAt, 4)
    gtk_widget_add_controller(track, drag)

    let buttons = stack(GTK_ORIENTATION_HORIZONTAL, spacing: 8, dialogButton, privateButton, status)
    let content = stack(GTK_ORIENTATION_VERTICAL, spacing: 12, title, bar, list, track, buttons)
    gtk_widget_add_css_class(content, "content")
    gtk_window_set_child(window, content)
  }

  func present(onFrame: @escaping @MainActor () -> Void) {
    gtk_window_present(window)
    connect(gtk_widget_get_frame_clock(window.asWidget), "after-paint", onFrame)
  }

  // MARK: What it shows

  func setBusy(_ isBusy: Bool) { gtk_spinner_set_spinning(spinner.opaque, isBusy ? 1 : 0) }
  func setTitle(_ text: String) { gtk_label_set_text(title.opaque, text) }
  func setProgress(_ fraction: Double) { gtk_progress_bar_set_fraction(bar.opaque, fraction) }
  func setStatus(_ text: String) { gtk_label_set_text(status.opaque, text) }

  func addRow(_ left: String, _ right: String) {
    let badge = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)!
    let name = gtk_label_new(left)!
    let value = gtk_label_new(right)!
    gtk_widget_add_css_class(badge, "badge")
    gtk_widget_set_valign(badge, GTK_ALIGN_CENTER)
    gtk_label_set_xalign(name.opaque, 0)
    gtk_widget_set_hexpand(name, 1)
    badges.append(badge)
    gtk_list_box_append(list.opaque, stack(GTK_ORIENTATION_HORIZONTAL, spacing: 10, badge, name, value))
  }

  // MARK: The dialog

  func openDialog(onClose: @escaping @MainActor () -> Void) {
    let dialog = gtk_window_new()!.asWindow
    gtk_window_set_title(dialog, "Modal")
    gtk_window_set_transient_for(dialog, window)
    gtk_window_set_modal(dialog, 1)
    gtk_window_set_resizable(dialog, 0)
    gtk_window_set_titlebar(dialog, gtk_header_bar_new())
    let text = gtk_label_new("The loop runs in the mode modalPanel now.\nThe window behind is alive.")!
    let close = gtk_button_new_with_label("Close")!
    gtk_widget_set_halign(close, GTK_ALIGN_END)
    connect(close, "clicked", onClose)
    connect(dialog, "close-request", onClose)
    let content = stack(GTK_ORIENTATION_VERTICAL, spacing: 16, text, close)
    gtk_widget_add_css_class(content, "content")
    gtk_window_set_child(dialog, content)
    gtk_window_present(dialog)
    self.dialog = dialog
    closeButton = close
  }

  func closeDialog() {
    gtk_window_destroy(dialog)
    dialog = nil
    closeButton = nil
  }

  // MARK: The tile

  /// Whether the button went down on it.
  func grabTile() -> Bool {
    var x = 0.0
    var y = 0.0
    gtk_gesture_drag_get_start_point(drag.opaque, &x, &y)
    grabbedAt = tileAt
    return x >= tileAt && x < tileAt + Double(gtk_widget_get_width(tile))
  }

  func moveTile() {
    var x = 0.0
    gtk_gesture_drag_get_offset(drag.opaque, &x, nil)
    let room = Double(gtk_widget_get_width(track) - gtk_widget_get_width(tile) - 4)
    tileAt = min(max(4, grabbedAt + x), room)
    gtk_fixed_move(track.asFixed, tile, tileAt, 4)
  }

  // MARK: Where things are

  /// Where a pointer finds them, in pixels of their window.
  var places: [String] {
    let widgets: [(String, UnsafeMutablePointer<GtkWidget>?)] = [
      ("spinner", spinner), ("bar", bar), ("list", list), ("track", track), ("tile", tile), ("dialog", dialogButton),
      ("private", privateButton), ("close", closeButton),
    ]
    return (widgets + badges.enumerated().map { ("badge\($0 + 1)", $1) }).compactMap { name, widget in
      guard let widget, let native = gtk_widget_get_native(widget) else { return nil }
      var bounds = graphene_rect_t()
      guard gtk_widget_compute_bounds(widget, native.asWidget, &bounds) != 0
      else { return nil }
      var x = 0.0
      var y = 0.0
      gtk_native_get_surface_transform(native, &x, &y)
      let origin = (x + Double(bounds.origin.x), y + Double(bounds.origin.y))
      return "place \(name) \(Int(origin.0)) \(Int(origin.1)) \(Int(bounds.size.width)) \(Int(bounds.size.height))"
    }
  }

  // MARK: Making it

  private func addStyle() {
    let style = gtk_css_provider_new()!
    gtk_css_provider_load_from_path(style, CommandLine.arguments[1])
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), style.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  }

  private func stack(
    _ orientation: GtkOrientation, spacing: CInt, _ children: UnsafeMutablePointer<GtkWidget>...
  ) -> UnsafeMutablePointer<GtkWidget> {
    let box = gtk_box_new(orientation, spacing)!
    for child in children { gtk_box_append(box.asBox, child) }
    return box
  }
}
