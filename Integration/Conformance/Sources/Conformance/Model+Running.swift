// Runs and their passes.

extension Model {
  func run(_ mode: Mode, until limit: Limit, returnsAfterSource: Bool) -> Outcome {
    if mode == .common { return .finished }
    if isEmpty(mode) || (has(.unknownModeIsEmpty) && !ports.know(mode)) { return .finished }
    var limit = limit
    if case .slot(let slot) = limit, Moment.limit(slot) <= now { limit = .zero }
    let run = Run(mode, limit, returnsAfterSource)
    runs.append(run)
    if !commonModes.contains(mode) { ranPrivately.insert(mode) }
    let start = now
    notify(.entry)
    if has(.limitBeginsAfterEntry), case .slot = limit { run.limitMoment += now - start }
    var outcome = run.isStopped ? Outcome.stopped : nil
    while outcome == nil { outcome = pass(run) }
    notify(.exit)
    runs.removeLast()
    letGo()
    return outcome!
  }

  func pass(_ run: Run) -> Outcome? {
    run.handledSource = false
    letGo()
    run.ignoresWakeUps = false
    passNumber += 1
    wakeRequested = false
    notify(.beforeTimers)
    notify(.beforeSources)
    runPerforms(run)
    if fireSources(run) { runPerforms(run) }
    return secondHalf(run)
  }

  @discardableResult
  func secondHalf(_ run: Run) -> Outcome? {
    let poll =
      (run.handledSource && !has(.sleepsAfterWork, run)) || run.limit == .zero
      || (!has(.sleepsOnWork) && mustNotSleep(run))
    let isTold = !poll && (has(.tellsNewcomers) || observes([.beforeWaiting, .afterWaiting], run))
    if !poll { notify(.beforeWaiting) }
    let timersAreDue = wait(run, poll, isTold)
    run.ignoresWakeUps = has(.waitsForPorts)
    if isTold { notify(.afterWaiting) }
    run.ignoresWakeUps = has(.waitsForPorts)
    if timersAreDue, !fireTimers(run.mode) {
      ports.forget(run.mode)
      arm(run.mode)
    }
    runPerforms(run)
    if run.returnsAfterSource && run.handledSource { return .handledSource }
    if run.limitMoment <= now { return .timedOut }
    if run.isStopped { return .stopped }
    return isEmpty(run.mode) ? .finished : nil
  }

  func observes(_ some: Activities, _ run: Run) -> Bool {
    items(run.mode).contains {
      if case .observer(let activities, _, _) = kind($0) { return !activities.isDisjoint(with: some) }
      return false
    }
  }

  func notify(_ activity: Activities) {
    guard let run = runs.last else { return }
    let found = items(run.mode).enumerated().filter {
      guard case .observer(let activities, _, _) = kind($0.element) else { return false }
      return activities.contains(activity) && !states[$0.element].isFiring
    }.sorted { (order($0.element), $0.offset) < (order($1.element), $1.offset) }.map(\.element)
    for observer in found {
      guard states[observer].isValid, has(.removedIsCalled) || isInScope(observer) else { continue }
      states[observer].isFiring = true
      stage.called(observer, activity)
      if case .observer(_, _, false) = kind(observer) { invalidate(observer) }
      states[observer].isFiring = false
    }
  }

  func isReady(_ item: Int) -> Bool { states[item].isValid && states[item].signalled != nil }

  /// Whether it counts that sources were handled.
  func fireSources(_ run: Run) -> Bool {
    let ready = items(run.mode).filter(isReady).map { (source: $0, signal: states[$0].signalled!) }
      .sorted { (order($0.source), $0.signal) < (order($1.source), $1.signal) }
    var fired = false
    for (source, signal) in ready {
      let isSignalled =
        has(.laterSignalCounts) ? states[source].signalled != nil : states[source].signalled == signal
      let fires =
        states[source].isValid && isSignalled && (has(.removedIsCalled) || isInScope(source))
      if has(.lastSourceDecides) { fired = false }
      guard fires else { continue }
      states[source].signalled = nil
      fired = true
      if !has(.lastSourceDecides) { run.handledSource = true }
      stage.called(source)
      if run.returnsAfterSource { break }
    }
    if fired { run.handledSource = true }
    return fired
  }
}
