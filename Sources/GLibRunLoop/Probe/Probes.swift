import CRunLoopShims
import Synchronization

/// Where instruments come in. The engine knows that some may look, and nothing of what they are.
package enum Probes {
  private struct Known {
    /// Those of all loops that have not ended.
    var table: [ObjectIdentifier: any Probe] = [:]
    var make: (@Sendable (GRunLoop?) -> any Probe)?
  }

  /// Guards each loop's `hasEndedForProbes`, too. Held for a look; may be taken with a loop's lock held.
  private static let known = PerProcess(Known()) { Known(make: $0?.make) }

  private static let allAreWatched = Atomic<Bool>(false)

  /// Whether an instrument looks at all loops. Relaxed, as the number of instruments: one that is switched on just now
  /// misses a call-back at most.
  package static var looksAtAll: Bool {
    get { allAreWatched.load(ordering: .relaxed) }
    set { allAreWatched.store(newValue, ordering: .relaxed) }
  }

  /// Says how probes are made, before the first instrument looks. It is given the loop, or nil if that has ended.
  package static func areMade(by make: @escaping @Sendable (GRunLoop?) -> any Probe) {
    known.withLock { $0.make = make }
  }

  package static var all: [any Probe] { known.withLock { Array($0.table.values) } }

  /// The loop's, made if it is not there. Nil if there is nobody to make it.
  static func slot(for loop: GRunLoop) -> ProbeSlot? {
    known.withLock { known in
      if let existing = loop.probeSlot { return existing }
      guard let make = known.make else { return nil }
      let probe = make(loop.hasEndedForProbes ? nil : loop)
      if !loop.hasEndedForProbes { known.table[ObjectIdentifier(probe)] = probe }
      let slot = ProbeSlot(probe)
      // Releasing: it is seen as it was made.
      loop.probePointer.store(Unmanaged.passRetained(slot).toOpaque(), ordering: .releasing)
      return slot
    }
  }

  /// The loop has ended: nothing more will be told of it.
  static func loopEnded(_ loop: GRunLoop) {
    let probe = known.withLock { known in
      loop.hasEndedForProbes = true
      return loop.probeSlot.flatMap { known.table.removeValue(forKey: ObjectIdentifier($0.probe)) }
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
