import GLibRunLoop

/// Which of a loop's modes count while it runs in one of them. For the loop's thread.
final class ModesInForce {
  let loop: GRunLoop
  /// Is told of nothing. It lies in the common modes, so that the loop can be asked which those are.
  private var probe: GRunLoop.Observer?

  init(of loop: GRunLoop) { self.loop = loop }

  deinit { probe?.invalidate() }

  /// Whether what was queued for `modes` may be posted in a run in `mode`.
  func includes(_ mode: GRunLoop.Mode, among modes: Set<GRunLoop.Mode>) -> Bool {
    if modes.contains(mode) { return true }
    guard modes.contains(.common) else { return false }
    let probe = probe ?? GRunLoop.Observer(activities: []) { _, _ in }
    self.probe = probe
    loop.add(probe, forMode: .common)
    return loop.contains(probe, inMode: mode)
  }
}
