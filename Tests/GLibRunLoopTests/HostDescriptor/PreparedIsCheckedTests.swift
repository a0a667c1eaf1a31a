import CGLib
import GLibRunLoop
import Testing

@Suite struct PreparedIsCheckedTests {
  /// A source that counts how often it was prepared and not checked, as GDK's source for Wayland does.
  private struct Counter {
    var source: GSource
    // GLib hands out the memory zeroed.
    var open: Int
    var prepared: Int
  }

  private static func counter(_ source: UnsafeMutablePointer<GSource>?) -> UnsafeMutablePointer<Counter> {
    UnsafeMutableRawPointer(source!).assumingMemoryBound(to: Counter.self)
  }

  // Written once, and only read after that.
  private nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.prepare = { source, timeout in
      counter(source).pointee.open += 1
      counter(source).pointee.prepared += 1
      timeout?.pointee = -1
      return 0
    }
    functions.pointee.check = { source in
      counter(source).pointee.open = 0
      return 0
    }
    functions.pointee.dispatch = { _, _, _ in 1 }
    return functions
  }()

  @Test("R13 when a host gets control back, every source that was prepared has been checked")
  func betweenTurns() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = g_source_new(Self.functions, UInt32(MemoryLayout<Counter>.stride))!
      g_source_attach(source, loop.context)
      defer {
        g_source_destroy(source)
        g_source_unref(source)
      }
      _ = try loop.hostDescriptor()
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in }
      loop.add(timer, forMode: .default)
      for observes in [false, true] {
        let observer = GRunLoop.Observer(activities: .all) { _, _ in }
        if observes { loop.add(observer, forMode: .default) }
        for round in 0..<20 {
          if round % 3 == 0 { loop.perform {} }
          loop.iterate()
          #expect(Self.counter(source).pointee.open == 0, "round \(round)")
        }
        observer.invalidate()
      }
      #expect(Self.counter(source).pointee.prepared >= 40)
      timer.invalidate()
    }
  }
}
