import GLibRunLoop
import Testing

@Suite struct PerformCancelTests {
  /// Ways to queue a closure.
  enum Form: CaseIterable, Sendable {
    case plain, modes, ordered, idle, delayed, delayedIdle

    func queue(
      on loop: GRunLoop, target: AnyObject? = nil, name: String? = nil, _ body: sending @escaping () -> Void
    ) -> GRunLoop.Perform {
      switch self {
      case .plain: loop.perform(target: target, name: name, body)
      case .modes: loop.perform(inModes: ["other", .default, .common], target: target, name: name, body)
      case .ordered: loop.perform(order: -3, target: target, name: name, body)
      case .idle: loop.perform(priority: .idle, target: target, name: name, body)
      case .delayed: loop.perform(after: .milliseconds(1), target: target, name: name, body)
      case .delayedIdle: loop.perform(after: .zero, priority: .idle, target: target, name: name, body)
      }
    }
  }

  private final class Target: Sendable {}

  /// Runs until everything that is due within some milliseconds has run.
  private func settle(_ drive: Drive) {
    drive.loop.perform(after: .milliseconds(5)) { drive.loop.perform(priority: .low) { drive.quit() } }
    drive.run()
  }

  @Test("P5 cancelled by its token it does not run", arguments: pairs(Driver.allCases, Form.allCases))
  func token(_ driver: Driver, _ form: Form) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      let tokens = (0..<10).map { index in form.queue(on: drive.loop) { log.append(index) } }
      for index in [0, 3, 9] {
        tokens[index].cancel()
        tokens[index].cancel()
      }
      settle(drive)
      #expect(log.entries == [1, 2, 4, 5, 6, 7, 8])
      for token in tokens { token.cancel() }
      settle(drive)
      #expect(log.count == 7)
    }
  }

  @Test("P5 by target, and by target and name; others are left alone", arguments: pairs(Driver.allCases, Form.allCases))
  func target(_ driver: Driver, _ form: Form) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let (one, two) = (Target(), Target())
      func queueAll() {
        for (target, label) in [(one, "one"), (two, "two")] {
          for name in ["save", "load", nil] {
            let text = "\(label) \(name ?? "-")"
            _ = form.queue(on: loop, target: target, name: name) { log.append(text) }
          }
        }
        _ = form.queue(on: loop) { log.append("nobody's") }
      }
      queueAll()
      loop.cancelPerforms(target: one, name: "save")
      loop.cancelPerforms(target: two)
      loop.cancelPerforms(target: Target())
      loop.cancelPerforms(target: one, name: "unknown")
      settle(drive)
      #expect(log.entries == ["one load", "one -", "nobody's"])
      // What has run or was cancelled is not remembered: new ones are not touched by it.
      queueAll()
      settle(drive)
      #expect(log.count == 3 + 7)
    }
  }

  @Test("P5 from another thread", arguments: pairs(Driver.allCases, Form.allCases))
  func fromAnotherThread(_ driver: Driver, _ form: Form) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let target = Target()
      TestThread {
        // The loop's thread waits here, so that nothing can begin.
        form.queue(on: loop) { log.append("token") }.cancel()
        _ = form.queue(on: loop, target: target) { log.append("target") }
        _ = form.queue(on: loop, target: target, name: "n") { log.append("name") }
        loop.cancelPerforms(target: target, name: "n")
        loop.cancelPerforms(target: target)
        _ = form.queue(on: loop, target: target) { log.append("new") }
      }.join()
      settle(drive)
      #expect(log.entries == ["new"])
    }
  }
}
