/// What waits in a loop at one moment.
package struct LoopContents {
  package struct Mode {
    package let name: String
    package let isCommon: Bool
    package let items: Int
    package let timers: Int
    package let observers: Int
    package let performs: Int
    package let signals: Int
  }

  package let mode: String
  package let isWaiting: Bool
  package let hasEnded: Bool
  /// The common set stands first.
  package let modes: [Mode]
}

extension GRunLoop {
  /// From any thread. Nil in a forked child.
  package var contents: LoopContents? {
    if isForked { return nil }
    return lock.withLock {
      let states = [common] + modes.values.sorted { $0.mode.description < $1.mode.description }
      return LoopContents(
        mode: scope.state.mode.description, isWaiting: isSleeping, hasEnded: hasEnded,
        modes: states.map { contents(of: $0) })
    }
  }

  /// Under the lock.
  private func contents(of state: ModeState) -> LoopContents.Mode {
    let timers = Timebase.allCases.reduce(0) { sum, timebase in sum + state.withHeap(on: timebase) { $0.count } }
    return LoopContents.Mode(
      name: state.mode.description, isCommon: state.mode == .common || commonModes.contains(state.mode),
      items: state.itemCount, timers: timers, observers: state.observers.count, performs: state.performCount,
      signals: state.signalCount)
  }
}
