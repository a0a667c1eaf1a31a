import CRunLoopShims
import GLibRunLoop

/// What the threads that records tell of are called.
enum ThreadNames {
  private static let limit = 4096
  /// A forked child has other threads.
  private static let names = PerProcess<[Int32: String]>([:]) { _ in [:] }

  static subscript(thread: Int32) -> String? { names.withLock { $0[thread] } }

  /// For people.
  static func title(_ thread: Int32) -> String {
    guard let name = self[thread], !name.isEmpty else { return "thread \(thread)" }
    return "\(name) (\(thread))"
  }

  /// On the thread itself.
  static func note(_ thread: Int32) {
    names.withLock { if $0[thread] == nil && $0.count < limit { $0[thread] = current } }
  }

  private static var current: String {
    if grl_thread_is_first() { return "main thread" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { name in
      grl_thread_name(name.baseAddress!, name.count)
      return String(cString: name.baseAddress!)
    }
  }
}
