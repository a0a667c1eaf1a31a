import Synchronization

/// Where instruments come in. The engine knows that some may look, and nothing of what they are.
package enum Probes {
  /// Guards what follows, and each loop's `hasEndedForProbes`. Held for a look; may be taken with a loop's lock held.
  private static let lock = Lock()
  /// Those of all loops that have not ended.
  private nonisolated(unsafe) static var table: [ObjectIdentifier: any Probe] = [:]
  private nonisolated(unsafe) static var make: (@Sendable (GRunLoop?) -> any Probe)?

  private static let allAreWatched = Atomic<Bool>(false)

  /// Whether an instrument looks at all loops. Relaxed, as the number of instruments: one that is switched on just now
  /// misses a call-back at most.
  package static var looksAtAll: Bool {
    get { allAreWatched.load(ordering: .relaxed) }
    set { allAreWatched.store(newValue, ordering: .relaxed) }
  }

  /// Says how probes are made, before the first instrument looks. It is given the loop, or nil if that has ended.
  package static func areMade(by make: @escaping @Sendable (GRunLoop?) -> any Probe) {
    lock.withLock { self.make = make }
  }

  package static var all: [any Probe] { lock.withLock { Array(table.values) } }

  /// The loop's, made if it is not there. Nil if there is nobody to make it.
  static func slot(for loop: GRunLoop) -> ProbeSlot? {
    lock.withLock {
      if let existing = loop.probeSlot { return existing }
      guard let make else { return nil }
      let probe = make(loop.hasEndedForProbes ? nil : loop)
      if !loop.hasEndedForProbes { table[ObjectIdentifier(probe)] = probe }
      let slot = ProbeSlot(probe)
      // Releasing: it is seen as it was made.
      loop.probePointer.store(Unmanaged.passRetained(slot).toOpaque(), ordering: .releasing)
      return slot
    }
  }

  /// The loop has ended: nothing more will be told of it.
  static func loopEnded(_ loop: GRunLoop) {
    let probe = lock.withLock {
      loop.hasEndedForProbes = true
      return loop.probeSlot.flatMap { table.removeValue(forKey: ObjectIdentifier($0.probe)) }
    }
    probe?.loopEnded()
  }
}

/// A loop's probe, and what the engine knows of it.
final class ProbeSlot {
  let probe: any Probe
  /// Whether the loop has its poll function for it, which tells of sleeps when GLib drives. Guarded by the loop's lock.
  var isChained = false

  init(_ probe: any Probe) { self.probe = probe }
}
