import CGLib

/// Counts how often a context goes round, whoever drives it: a loop that spins is told from one that sleeps without
/// looking at a clock. The source that counts is asked before all others and changes nothing of the turn.
package final class Iterations {
  private let source: UnsafeMutablePointer<GSource>

  package init(of context: OpaquePointer) {
    source = g_source_new(Self.functions, UInt32(MemoryLayout<Counter>.stride))!
    g_source_set_priority(source, CInt.min)
    g_source_attach(source, context)
  }

  deinit {
    g_source_destroy(source)
    g_source_unref(source)
  }

  /// To be asked on the context's own thread.
  package var count: Int { Self.counter(source).pointee.count }

  /// How many times it goes round while `body` runs.
  package func during(_ body: () -> Void) -> Int {
    let before = count
    body()
    return count - before
  }

  private struct Counter {
    var source: GSource
    // GLib hands out the memory zeroed.
    var count: Int
  }

  private static func counter(_ source: UnsafeMutablePointer<GSource>) -> UnsafeMutablePointer<Counter> {
    UnsafeMutableRawPointer(source).assumingMemoryBound(to: Counter.self)
  }

  // Written once, and only read after that.
  private nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.prepare = { source, timeout in
      Iterations.counter(source!).pointee.count += 1
      timeout?.pointee = -1
      return 0
    }
    functions.pointee.check = { _ in 0 }
    functions.pointee.dispatch = { _, _, _ in 1 }
    return functions
  }()
}
