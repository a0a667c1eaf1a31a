// Queued closures.

extension Model {
  func perform(_ closure: Int) {
    guard case .perform(let modes) = kind(closure) else { return }
    for mode in modes where mode != .common { ports.create(mode) }
    queue.append(Queued(item: closure, number: next()))
    wakePort()
  }

  func isFor(_ entry: Queued, _ mode: Mode) -> Bool {
    guard case .perform(let modes) = kind(entry.item) else { return false }
    return modes.contains(mode) || (modes.contains(.common) && commonModes.contains(mode))
  }

  func runPerforms(_ run: Run) {
    if has(.blocksGoOn) { return runBlocks(run) }
    if passNumber >= heldUntil {
      taken = (taken + queue.filter { isFor($0, run.mode) }).sorted { $0.number < $1.number }
      queue.removeAll { isFor($0, run.mode) }
    }
    guard taken.contains(where: { isFor($0, run.mode) }) else { return }
    // A run inside of one of them goes on with the next, if it is for its mode, too.
    while let next = taken.firstIndex(where: { isFor($0, run.mode) }) { call(taken.remove(at: next), run) }
    if queue.contains(where: { isFor($0, run.mode) }) { heldUntil = passNumber + 1 }
  }

  func call(_ entry: Queued, _ run: Run) {
    if !has(.performIsNoSource) { run.handledSource = true }
    stage.called(entry.item)
  }

  func runBlocks(_ run: Run) {
    let taken = queue
    queue = []
    var kept: [Queued] = []
    for entry in taken {
      if isFor(entry, run.mode) { call(entry, run) } else { kept.append(entry) }
    }
    queue = kept + queue
  }
}
