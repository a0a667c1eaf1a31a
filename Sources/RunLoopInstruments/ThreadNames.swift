import CRunLoopShims
import GLibRunLoop

/// What the threads that records tell of are called.
enum ThreadNames {
  private static let limit = 4096
  private static let lock = Lock()
  // Guarded by the lock.
  private nonisolated(unsafe) static var names: [Int32: String] = [:]

  static subscript(thread: Int32) -> String? { lock.withLock { names[thread] } }

  /// For people.
  static func title(_ thread: Int32) -> String {
    guard let name = self[thread], !name.isEmpty else { return "thread \(thread)" }
    return "\(name) (\(thread))"
  }

  /// On the thread itself.
  static func note(_ thread: Int32) {
    lock.withLock { if names[thread] == nil && names.count < limit { names[thread] = current } }
  }

  private static var current: String {
    if grl_thread_is_first() { return "main thread" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { name in
      grl_thread_name(name.baseAddress!, name.count)
      return String(cString: name.baseAddress!)
    }
  }
}
