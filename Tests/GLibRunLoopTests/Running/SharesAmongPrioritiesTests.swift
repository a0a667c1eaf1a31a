import CGLib
import GLibRunLoop
import Testing

@Suite struct SharesAmongPrioritiesTests {
  /// Work that is always ready.
  enum Kind: CaseIterable, Sendable {
    case perform, source, foreign

    /// Counts its turns until it is told to end. Returns what ends it.
    func begin(_ priority: GRunLoop.Priority, on loop: GRunLoop, _ turn: @escaping () -> Bool) {
      switch self {
      case .perform: again(priority, on: loop, turn)
      case .source:
        let source = GRunLoop.Source(priority: priority) { if turn() { $0.signal() } else { $0.invalidate() } }
        loop.add(source, forMode: .default)
        source.signal()
      case .foreign: Foreign.idle(priority: priority.rawValue, turn).attach(to: loop.context)
      }
    }

    private func again(_ priority: GRunLoop.Priority, on loop: GRunLoop, _ turn: @escaping () -> Bool) {
      // Stays on this thread.
      nonisolated(unsafe) let turn = turn
      loop.perform(inModes: [.default], priority: priority) { if turn() { again(priority, on: loop, turn) } }
    }
  }

  @Test(
    "R12 work of a better priority that waits goes before, whoever drives and whatever it is",
    arguments: Driver.allCases,
    Kind.allCases)
  func betterGoesBefore(_ driver: Driver, worse: Kind) async throws {
    try await onLoopThread {
      for better in Kind.allCases {
        let drive = Drive(driver)
        var (turns, others) = (0, 0)
        better.begin(.default, on: drive.loop) {
          turns += 1
          if turns == 2000 { drive.quit() }
          return turns < 2000
        }
        worse.begin(.idle, on: drive.loop) {
          others += 1
          return turns < 2000
        }
        drive.run()
        // The first ones may come before the other is there.
        #expect(turns == 2000 && others <= 2, "\(better) before \(worse): \(others) of the worse")
        drive.run(for: .milliseconds(5))
      }
    }
  }

  @Test(
    "R12 nor does the loop's own work come before work of a better priority", arguments: Driver.allCases, Kind.allCases)
  func ownWaits(_ driver: Driver, better: Kind) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var (turns, own) = (0, 0)
      better.begin(.high, on: drive.loop) {
        turns += 1
        return turns < 2000
      }
      Kind.perform.begin(.default, on: drive.loop) {
        if turns < 2000 { own += 1 } else { drive.quit() }
        return turns < 2000
      }
      drive.run()
      // Within 64 passes, or 100 microseconds, a run of Swift's asks GLib for the first time.
      #expect(turns == 2000 && own <= 64, "\(own) of the loop's own")
    }
  }
}
