import Synchronization

/// What the pipeline's threads have put on the bus, in their order, up to the end of the stream.
final class Posted: Sendable {
  private let state = Mutex<(kinds: [String], onEnd: (@Sendable () -> Void)?)>(([], nil))

  var kinds: [String] { state.withLock { $0.kinds } }

  func onEnd(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

  func add(_ kind: String) {
    let onEnd = state.withLock { state in
      if state.kinds.last == "eos" { return nil as (@Sendable () -> Void)? }
      state.kinds.append(kind)
      return kind == "eos" ? state.onEnd : nil
    }
    onEnd?()
  }
}
