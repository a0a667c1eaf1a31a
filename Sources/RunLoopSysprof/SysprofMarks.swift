#if Sysprof
  import CSysprof
  import GLibRunLoop
  import Glibc
  import RunLoopInstruments

  /// Writes marks no faster than the profiler takes them.
  ///
  /// They go into a ring of 252 KiB that is shared with the profiler, which looks every 5 ms, or later on a busy machine; what
  /// does not fit is lost, and nobody is told (mapped-ring-buffer.c, mapped-ring-buffer-source.c). So it may be 70 ms late.
  /// What waits in the trace meanwhile is counted if it is lost.
  final class SysprofMarks: @unchecked Sendable {
    // Invariant for @unchecked: a trace hands on one mark at a time.

    private static let burst = 32 * 1024
    /// In microseconds.
    private static let pause: UInt32 = 10_000
    /// Of what the profiler cuts off in bytes, which may be within a character, and of what a mark has room for.
    private static let nameLimit = 39
    private static let messageLimit = 4096

    private var written = 0

    func add(_ mark: TraceMark) {
      let name = Self.cut(mark.name, to: Self.nameLimit)
      let full = name == mark.name ? mark.message : "\(mark.name), \(mark.message)"
      let message = Self.cut(full, to: Self.messageLimit)
      sysprof_collector_mark(mark.start, mark.duration, "GRunLoop", name, message)
      written += 104 + message.utf8.count
      if written < Self.burst { return }
      written = 0
      usleep(Self.pause)
    }

    /// As many whole characters as there is room for.
    private static func cut(_ text: String, to limit: Int) -> String {
      if text.utf8.count <= limit { return text }
      var room = limit
      return String(
        text.prefix { character in
          room -= character.utf8.count
          return room >= 0
        })
    }
  }
#endif
