extension Probe {
  private struct Weak {
    weak var probe: Probe?
  }

  /// Guards `table`. Held for a look.
  private static let tableLock = Lock()
  private nonisolated(unsafe) static var table: [ObjectIdentifier: Weak] = [:]

  static func register(_ probe: Probe) { tableLock.withLock { table[ObjectIdentifier(probe)] = Weak(probe: probe) } }
  static func unregister(_ probe: Probe) {
    tableLock.withLock { _ = table.removeValue(forKey: ObjectIdentifier(probe)) }
  }

  /// Those of all loops that are alive.
  static var all: [Probe] { tableLock.withLock { table.values.compactMap(\.probe) } }

  /// An instrument was switched off: loops that nobody looks at any more give their poll function back.
  static func settle() {
    for probe in all { probe.loop?.tellOfInstruments() }
  }
}
