import CGLib

/// Who has his turn when Swift drives: GLib's check asks the context's sources by their priorities, and the loop's own work
/// of the default priority stands among them.
///
/// The engine's source says that it is ready only where that makes a difference, since a dispatch costs more than none: the
/// own work is then done in it. For the loop's thread, from one check to the dispatch that follows.
struct Arbitration {
  /// The engine's source is to say that it is ready: own work is, and perhaps a source of GLib's.
  private var tells = false
  /// GLib came to the engine's source: no source of a better priority is ready.
  private(set) var wasAsked = false
  /// The best priority at which a source of the engine's is ready, and of how many descriptors these sources make use.
  private var best = CInt.max
  private var descriptors = 0

  init() {}

  init(tells: Bool) { self.tells = tells }

  mutating func engineIsAsked() -> Bool {
    wasAsked = true
    if tells { isReady(G_PRIORITY_DEFAULT) }
    return tells
  }

  mutating func isReady(_ priority: CInt, descriptors: Int = 0) {
    best = min(best, priority)
    self.descriptors += descriptors
  }

  /// GLib will dispatch the engine's source.
  var isEnginesTurn: Bool { tells && wasAsked }

  /// Whether the dispatch will call sources of others: then they count as sources that were handled.
  ///
  /// - Parameters:
  ///   - prepared: The best priority of one that said so before the poll, if any did.
  ///   - ready: How many descriptors are ready, apart from the loop's own.
  func callsOthers(prepared: CInt?, descriptors ready: Int) -> Bool {
    best == .max || ready > descriptors || prepared.map { $0 <= best } ?? false
  }
}

extension GRunLoop {
  /// For a check of another module's source of the library: it is ready, and no source of the user's.
  package func guestIsReady(descriptors: Int) { arbitration.isReady(G_PRIORITY_DEFAULT, descriptors: descriptors) }
}
