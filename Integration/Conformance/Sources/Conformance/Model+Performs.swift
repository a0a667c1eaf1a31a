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
    putBackRest()
    guard passNumber >= heldUntil else { return }
    let taken = queue.filter { isFor($0, run.mode) }
    if taken.isEmpty { return }
    queue.removeAll { isFor($0, run.mode) }
    batches.append(taken)
    while !batches[batches.count - 1].isEmpty { call(batches[batches.count - 1].removeFirst(), run) }
    batches.removeLast()
    if queue.contains(where: { isFor($0, run.mode) }) { heldUntil = passNumber + 1 }
  }

  func call(_ entry: Queued, _ run: Run) {
    if !has(.performIsNoSource) { run.handledSource = true }
    stage.called(entry.item)
  }

  /// A nested run may run what the outer pass has not run yet.
  func putBackRest() {
    guard let rest = batches.last, !rest.isEmpty else { return }
    batches[batches.count - 1] = []
    queue = (queue + rest).sorted { $0.number < $1.number }
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
