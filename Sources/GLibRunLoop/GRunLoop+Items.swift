import CGLib

extension GRunLoop {
  /// Puts an item into a mode, or into every mode of the common set. From any thread.
  ///
  /// Adding it again to the same mode changes nothing. A call that cannot be carried out is left undone and says why
  /// in one line: an item that was invalidated, that lives in another loop, whose handler is made for another thread,
  /// whose descriptor is not open, or a mode without a name. (`CFRunLoopAddSource`, `…AddTimer`, `…AddObserver`)
  ///
  /// - Parameters:
  ///   - item: What is added.
  ///   - mode: The mode, or ``Mode/common`` for all of its set.
  ///   - fileID: Where the call stands, as traces and reports of stalls name it.
  ///   - line: The same.
  /// - Returns: Whether the item is in the mode now.
  @discardableResult
  public func add(
    _ item: Item, forMode mode: Mode, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    item.noteIfInstrumented(fileID, line)
    if let problem = admit(item, to: mode) {
      diagnose("\(Swift.type(of: item)) was not added to mode \"\(mode)\": \(problem)")
      return false
    }
    return true
  }

  /// Puts an item into several modes; see ``add(_:forMode:fileID:line:)->Bool``.
  ///
  /// - Returns: Whether the item is in all of them now.
  @discardableResult
  public func add(
    _ item: Item, forModes modes: [Mode], fileID: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    modes.reduce(true) { add(item, forMode: $1, fileID: fileID, line: line) && $0 }
  }

  /// As ``add(_:forMode:fileID:line:)->Bool``, without the line. Returns why it was left undone.
  package func admit(_ item: Item, to mode: Mode) -> String? {
    if isForked { return Failure.forked.description }
    if mode.rawValue.isEmpty { return "a mode needs a name" }
    if item.affinity == .mainLoop {
      guard self === GRunLoop.main else { return "its handler is the main actor's: add it to GRunLoop.main" }
    } else if item.affinity != .anyThread {
      guard item.affinity == .thisThread, isCurrent else {
        return "its handler is not Sendable, so only the thread that made it can add it, to its own loop; "
          + "make it with sendableHandler: to add it anywhere"
      }
    }
    guard item.bind(to: self) else { return "it lives in another loop" }
    var problem: String?
    var added = false
    var wake = false
    lock.lock()
    if hasEnded {
      problem = Failure.ended.description
    } else if !item.isValid {
      problem = "it was invalidated; make a new one"
    } else {
      let state = state(for: mode)
      if !item.slots.contains(state) {
        if item.slots.isEmpty { item.sequence = nextSequence() }
        endTurn(of: item)
        state.insert(item)
        problem = item.join(state, of: self)
        added = problem == nil
        if added { wake = wakeIsDue(for: item) } else { state.remove(item) }
      }
    }
    lock.unlock()
    if wake { signalWake() }
    if added { item.didJoin(self, mode) }
    return problem
  }

  /// A sleeping loop must look again when what was added is ready, or has a date sooner than it knows of.
  private func wakeIsDue(for item: Item) -> Bool {
    switch item {
    case let timer as Timer: claimWake(before: timer)
    case is Observer: false
    case is Source: isPending(.signals) && claimWake()
    default: isPending(.own) && claimWake()
    }
  }

  /// Takes an item out of a mode; it can be added again. From any thread. Does nothing if it is not there.
  /// (`CFRunLoopRemoveSource`, `…RemoveTimer`, `…RemoveObserver`)
  public func remove(_ item: Item, forMode mode: Mode) {
    guard item.loop === self, !refuseForked("remove(_:forMode:)") else { return }
    let (left, wake) = lock.withLock {
      let state = state(for: mode)
      guard item.slots.contains(state) else { return (false, false) }
      detach(item, from: state)
      return (true, claimWakeIfModeBecameEmpty())
    }
    if wake { signalWake() }
    if left { item.didLeave(self, mode) }
  }

  /// Whether an item is in a mode. What is in ``Mode/common`` is in every mode of that set. (`CFRunLoopContainsTimer`)
  public func contains(_ item: Item, inMode mode: Mode) -> Bool {
    guard item.loop === self, !isForked else { return false }
    return lock.withLock {
      if let state = modes[mode], item.slots.contains(state) { return true }
      return (mode == .common || commonModes.contains(mode)) && item.slots.contains(common)
    }
  }

  /// Makes a mode one of the common set, for good: everything that was or will be added to ``Mode/common`` is in it.
  /// Its runs let the host context's own sources run, too. (`CFRunLoopAddCommonMode`)
  ///
  /// A mode that was run as a private one, and whose own context is still in use, because it holds items or other code has
  /// work there, cannot join.
  public func addCommonMode(_ mode: Mode) {
    if let problem = makeCommon(mode) { diagnose("\"\(mode)\" was not made a common mode: \(problem)") }
  }

  /// As ``addCommonMode(_:)``, without the line. Returns why it was left undone.
  package func makeCommon(_ mode: Mode) -> String? {
    if isForked { return Failure.forked.description }
    if mode.rawValue.isEmpty || mode == .common { return "it is not the name of a mode" }
    // It may have been run as a private one, and have nothing in it now.
    if isCurrent, let state = lock.withLock({ modes[mode] }) { letGo(of: state) }
    let (isPrivate, wake) = lock.withLock {
      if commonModes.contains(mode) { return (false, false) }
      if state(for: mode).binding != nil { return (true, false) }
      commonModes.insert(mode)
      state(for: mode).isCommon = true
      if scope.state.mode == mode { enter(scope.state) }
      return (false, claimWake())
    }
    if wake { signalWake() }
    return isPrivate ? "it is in use as a private one" : nil
  }

  /// Under the lock.
  func detach(_ item: Item, from state: ModeState) {
    endTurn(of: item)
    item.leave(state, of: self)
    state.remove(item)
    if isAtRest(state) && !hasEnded && modesAtRest.insert(state).inserted {
      appendChore { [unowned self] in letGo(of: state) }
    }
  }

  /// Under the lock. Returns the modes that the item has to be told of.
  func detachFromAll(_ item: Item) -> [Mode] {
    var modes: [Mode] = []
    let announces = item.announcesLeaving
    while let slot = item.slots.first {
      if announces { modes.append(slot.state.mode) }
      detach(item, from: slot.state)
    }
    return modes
  }

  /// Under the lock: a sleeping run whose mode has nothing left is to look, and return.
  func claimWakeIfModeBecameEmpty() -> Bool { isSleeping && isEmpty(scope) && claimWake() }

  func invalidate(_ item: Item) {
    if isForked { return diagnose("invalidate() was ignored: \(Failure.forked)") }
    var modes: [Mode] = []
    var wake = false
    lock.lock()
    guard item.markInvalid() else { return lock.unlock() }
    modes = detachFromAll(item)
    wake = claimWakeIfModeBecameEmpty()
    lock.unlock()
    if wake { signalWake() }
    callOff(item, in: modes)
  }

  /// Without the lock: says that an invalid item has left its modes, and frees its closures, where they may be.
  func callOff(_ item: Item, in modes: [Mode]) {
    // The cancelled call-back of a sendable source comes on the invalidating thread, as in Core Foundation.
    if isCurrent || (item.affinity == .anyThread && item.announcesLeaving) {
      for mode in modes { item.didLeave(self, mode) }
      item.freeHandlers()
    } else {
      chore { [self] in
        for mode in modes { item.didLeave(self, mode) }
        item.freeHandlers()
      }
    }
  }
}
