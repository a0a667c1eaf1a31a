import CGLib

/// What is held against what. Each scenario must give the two the same trace.
package enum Comparison: String, CaseIterable, Sendable {
  /// This library, when Swift drives, and the rules.
  case library
  /// Core Foundation, and the rules but for the differences.
  case coreFoundation
  /// This library, driven from outside by Swift, and the rules.
  case swiftDriver
  /// This library, driven by GLib, and the rules but for what a driver may change.
  case glibDriver

  /// Whether the scenario is played within a run that somebody else drives.
  package var isDriven: Bool { self == .swiftDriver || self == .glibDriver }

  /// What the rules say, and what was seen.
  package func traces(of scenario: Scenario) -> (expected: [String], seen: [String]) {
    Quiet.once
    return switch self {
    case .library: (Model.play(scenario, []), LibraryLoop.play(scenario))
    case .coreFoundation:
      (Model.play(scenario, Set(Difference.allCases)), CoreFoundationLoop.play(scenario))
    case .swiftDriver: (Model.play(scenario, drivenBy: []), LibraryLoop.play(scenario, drivenBy: .swift))
    case .glibDriver:
      (
        Model.play(scenario, drivenBy: Set(DriverDifference.allCases)),
        LibraryLoop.play(scenario, drivenBy: .glib)
      )
    }
  }

  package func fails(_ scenario: Scenario) -> Bool {
    let (expected, seen) = traces(of: scenario)
    return expected != seen
  }

  /// Core Foundation without the wake-ups that it leaves to the caller.
  package static func coreFoundationWithoutWakeUps(_ scenario: Scenario) -> [String] {
    CoreFoundationLoop.play(scenario, wakes: false)
  }

  /// What Core Foundation would do if it followed the library in one thing.
  package static func coreFoundation(without difference: Difference, _ scenario: Scenario) -> [String] {
    Model.play(scenario, Set(Difference.allCases).subtracting([difference]))
  }

  /// What a loop that GLib drives would do if it did one thing as when Swift drives.
  package static func glib(without difference: DriverDifference, _ scenario: Scenario) -> [String] {
    Model.play(scenario, drivenBy: Set(DriverDifference.allCases).subtracting([difference]))
  }
}

/// The library says why it refuses a call; scenarios make many such.
private enum Quiet {
  static let once: Void = { _ = g_log_set_handler("GLibRunLoop", G_LOG_LEVEL_WARNING, ignore, nil) }()
}

private func ignore(
  _ domain: UnsafePointer<CChar>?, _ level: GLogLevelFlags, _ message: UnsafePointer<CChar>?,
  _ data: UnsafeMutableRawPointer?
) {}
