import GLibRunLoop

extension LoopProbe {
  /// Tells the engine how probes are made. Done once.
  static let isKnown: Void = Probes.areMade { LoopProbe(loop: $0) }

  /// Those of all loops that have not ended.
  static var all: [LoopProbe] { Probes.all.compactMap { $0 as? LoopProbe } }

  /// An instrument was switched off: loops that nobody looks at any more give their poll function back.
  static func settle() {
    for probe in all { probe.tellLoop() }
  }
}

extension GRunLoop {
  /// This loop's, if it was ever looked at.
  var existingLoopProbe: LoopProbe? { existingProbe as? LoopProbe }

  /// This loop's, made if it is not there.
  var loopProbe: LoopProbe {
    LoopProbe.isKnown
    // There is no other kind: this module alone says how they are made.
    return probe as! LoopProbe
  }
}
