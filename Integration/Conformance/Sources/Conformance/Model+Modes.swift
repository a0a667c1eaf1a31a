// What is in which mode.

extension Model {
  var currentMode: Mode? { runs.last?.mode }

  /// Where the items are that fire while a mode runs.
  func scope(_ mode: Mode) -> [Mode] {
    commonModes.contains(mode) && !has(.commonItemsAreCopied) ? [mode, .common] : [mode]
  }

  /// The items of a mode, each once, by when they were added.
  func items(_ mode: Mode) -> [Int] {
    var seen: Set<Int> = []
    return scope(mode).flatMap { members[$0, default: []] }.sorted { $0.number < $1.number }.map(\.item)
      .filter { seen.insert($0).inserted }
  }

  func isIn(_ item: Int, _ mode: Mode) -> Bool { items(mode).contains(item) }
  func isInScope(_ item: Int) -> Bool { runs.last.map { isIn(item, $0.mode) } ?? false }

  func keepsAlive(_ item: Int) -> Bool {
    if case .observer = kind(item) { return false }
    return true
  }

  func isEmpty(_ mode: Mode) -> Bool {
    !(isDriven && mode == .main) && !items(mode).contains(where: keepsAlive)
      && !(queue + taken).contains { isFor($0, mode) }
  }

  func add(_ item: Int, _ mode: Mode) {
    guard states[item].isValid else { return }
    if case .perform = kind(item) { return }
    if has(.commonItemsAreCopied), mode == .common {
      if !commonItems.contains(item) { commonItems.append(item) }
      for mode in Mode.allCases where commonModes.contains(mode) { add(item, mode) }
      return
    }
    guard !members[mode, default: []].contains(where: { $0.item == item }) else { return }
    ports.create(mode)
    if wasAdded.insert(item).inserted, states[item].signalled == 0 { states[item].signalled = next() }
    let rank = has(.rankOfEachMode) ? nil : members.values.joined().first { $0.item == item }?.number
    members[mode, default: []].append(Member(item: item, number: rank ?? next()))
    if isTimer(item) { arm(mode) }
  }

  func remove(_ item: Int, _ mode: Mode) {
    if has(.commonItemsAreCopied), mode == .common {
      guard commonItems.contains(item) else { return }
      commonItems.removeAll { $0 == item }
      for mode in commonModes { remove(item, mode) }
      return
    }
    guard members[mode, default: []].contains(where: { $0.item == item }) else { return }
    members[mode]!.removeAll { $0.item == item }
    if isTimer(item) { arm(mode) }
  }

  func invalidate(_ item: Int) {
    guard states[item].isValid else { return }
    if case .perform = kind(item) { return }
    states[item].isValid = false
    states[item].signalled = nil
    commonItems.removeAll { $0 == item }
    for mode in members.keys where members[mode]!.contains(where: { $0.item == item }) {
      members[mode]!.removeAll { $0.item == item }
      if isTimer(item) { arm(mode) }
    }
  }

  /// Private modes that have nothing in them any more may join the common set.
  func letGo() {
    ranPrivately = ranPrivately.filter { mode in
      runs.contains { $0.mode == mode } || !members[mode, default: []].isEmpty
        || (queue + taken).contains { entry in
          guard case .perform(let modes) = kind(entry.item) else { return false }
          return modes.contains(mode)
        }
    }
  }

  func join(_ mode: Mode) {
    guard !commonModes.contains(mode), mode != .common else { return }
    letGo()
    if !has(.privateModeMayJoin), ranPrivately.contains(mode) { return }
    commonModes.insert(mode)
    if isOutside { wokeForNothing = true }
    for item in commonItems { add(item, mode) }
  }
}
