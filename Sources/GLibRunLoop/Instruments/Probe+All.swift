import Synchronization

extension Probe {
  /// Guards `table`, and each loop's `hasEndedForProbes`. Held for a look; may be taken with a loop's lock held.
  private static let tableLock = Lock()
  /// Those of all loops that have not ended.
  private nonisolated(unsafe) static var table: [ObjectIdentifier: Probe] = [:]

  static var all: [Probe] { tableLock.withLock { Array(table.values) } }

  /// The loop's, made if it is not there.
  static func make(for loop: GRunLoop) -> Probe {
    tableLock.withLock {
      if let existing = loop.existingProbe { return existing }
      let probe = Probe(loop: loop.hasEndedForProbes ? nil : loop)
      if !loop.hasEndedForProbes { table[ObjectIdentifier(probe)] = probe }
      // Releasing: it is seen as it was made.
      loop.probePointer.store(Unmanaged.passRetained(probe).toOpaque(), ordering: .releasing)
      return probe
    }
  }

  /// The loop has ended: nothing more will be told of it.
  static func loopEnded(_ loop: GRunLoop) {
    let probe = tableLock.withLock {
      loop.hasEndedForProbes = true
      return loop.existingProbe.flatMap { table.removeValue(forKey: ObjectIdentifier($0)) }
    }
    probe?.loopEnded()
  }

  /// An instrument was switched off: loops that nobody looks at any more give their poll function back.
  static func settle() {
    for probe in all { probe.tellLoop() }
  }
}
