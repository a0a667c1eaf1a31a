import CRunLoopShims
import GLibRunLoop

/// What another thread is doing.
struct StackOfThread {
  /// Where its calls go on, the innermost first.
  private let addresses: [UInt]
  /// How deep GLib's dispatches are nested there; negative if that is not known.
  let depth: Int
  /// The name of the `GSource` that is dispatched there.
  let source: String?

  /// Guards the use of the signal.
  private static let uses = PerProcess<Void>(()) { _ in }
  /// Held while a thread is asked, which takes microseconds, or until it is given up.
  private static let asking = PerProcess<Void>(()) { _ in }
  /// A thread in an uninterruptible wait, on a disk for instance, does not answer at once.
  private static let patience: Int64 = 1_000_000_000

  /// Why stacks cannot be taken; nil if they can, until `end`.
  static func begin() -> String? {
    switch uses.withLock({ _ in grl_stack_begin() }) {
    case 0: "the program uses every real-time signal"
    case -1: "the C library is older than 2.35, and would stop a thread that is in the loader"
    default: nil
    }
  }
  /// On the thread that may be asked.
  static func allow() { grl_stack_allow() }
  static func end() { uses.withLock { _ in grl_stack_end() } }

  /// Nil if the thread does not answer.
  ///
  /// - Parameter isAllowed: Whether the thread has called `allow`.
  init?(_ thread: Int32, isAllowed: Bool) {
    guard let stack = Self.take(thread, isAllowed) else { return nil }
    // The first ones are the signal's handler, and the kernel's way into it.
    addresses = withUnsafeBytes(of: stack.frames) { bytes in
      Array(bytes.bindMemory(to: UInt.self).prefix(Int(stack.count)).dropFirst(2))
    }
    depth = Int(stack.depth)
    source = withUnsafeBytes(of: stack.source) { bytes in
      bytes.first == 0 ? nil : String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// For people, the innermost call first. To find the names takes time: the first time files are read.
  var lines: [String] { addresses.map { Symbols.line(of: $0) } }

  private static func take(_ thread: Int32, _ isAllowed: Bool) -> grl_stack? {
    var stack = grl_stack()
    return asking.withLock { _ in grl_stack_take(thread, isAllowed, &stack, patience) } ? stack : nil
  }
}
