import CGStreamer
import GLibRunLoop

/// Plays thirty pictures. What the pipeline has to say is heard in the mode "player" only.
@MainActor final class Player {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let watch: GRunLoop.ForeignSource
  private let posted = Posted()
  /// What was heard, and in which mode.
  private(set) var heard: [(kind: String, mode: GRunLoop.Mode?)] = []
  var onEnd: () -> Void = {}

  init() {
    pipeline = gst_parse_launch("videotestsrc num-buffers=30 ! fakesink", nil)!
    let bus = gst_element_get_bus(pipeline)!
    defer { gst_object_unref(bus) }
    let listen: GstBusFunc = { _, message, player in
      nonisolated(unsafe) let message = message!
      MainActor.assumeIsolated { Unmanaged<Player>.fromOpaque(player!).takeUnretainedValue().hear(message) }
      return 1
    }
    // A GSource that is not attached yet: the loop attaches it, in its modes.
    let source = gst_bus_create_watch(bus)!
    watch = GRunLoop.ForeignSource(source)
    GRunLoop.main.add(watch, forMode: "player")
    g_source_set_callback(
      source, unsafeBitCast(listen, to: GSourceFunc.self), Unmanaged.passUnretained(self).toOpaque(), nil)
    g_source_unref(source)
    // On the pipeline's threads, as each message is posted.
    let count: GstBusSyncHandler = { _, message, posted in
      Unmanaged<Posted>.fromOpaque(posted!).takeUnretainedValue().add(kind(of: message!))
      return GST_BUS_PASS
    }
    gst_bus_set_sync_handler(bus, count, Unmanaged.passUnretained(posted).toOpaque(), nil)
  }

  /// - Parameter ended: Called on one of the pipeline's threads, when the last message was posted.
  func play(ended: @escaping @Sendable () -> Void) {
    posted.onEnd(ended)
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
  }

  var kindsPosted: [String] { posted.kinds }

  func close() {
    watch.invalidate()
    gst_element_set_state(pipeline, GST_STATE_NULL)
    gst_object_unref(pipeline)
  }

  private func hear(_ message: UnsafeMutablePointer<GstMessage>) {
    heard.append((kind(of: message), GRunLoop.main.currentMode))
    if message.pointee.type == GST_MESSAGE_EOS { onEnd() }
  }
}

private func kind(of message: UnsafeMutablePointer<GstMessage>) -> String {
  String(cString: gst_message_type_get_name(message.pointee.type))
}
