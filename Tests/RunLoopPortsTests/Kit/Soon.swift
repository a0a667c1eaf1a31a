import GLibRunLoop

/// Calls a closure of this thread's once its loop runs in the default mode.
func soon(_ body: @escaping () -> Void) {
  GRunLoop.current.add(GRunLoop.Timer(interval: .zero) { _ in body() }, forMode: .default)
}
