import GLibRunLoop
import Testing

@Suite struct PerformCancelInBatchTests {
  private final class Target: Sendable {}

  enum Way: CaseIterable, Sendable { case token, target, name }

  private static let ways = pairs(Driver.allCases, Way.allCases)

  @Test(
    "P5 cancelled by a perform of the same batch it does not run", arguments: ways,
    [.default, .idle] as [GRunLoop.Priority])
  func sameBatch(_ combination: (Driver, Way), priority: GRunLoop.Priority) async throws {
    let (driver, way) = combination
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let tokens = Log(of: GRunLoop.Perform.self)
      let target = Target()
      loop.perform(priority: priority) {
        log.append("canceller")
        switch way {
        case .token: for token in tokens.entries { token.cancel() }
        case .target: loop.cancelPerforms(target: target)
        case .name: loop.cancelPerforms(target: target, name: "n")
        }
      }
      for index in 0..<3 {
        tokens.append(loop.perform(priority: priority, target: target, name: "n") { log.append("cancelled \(index)") })
      }
      loop.perform(priority: priority, target: Target(), name: "n") { log.append("stays") }
      loop.perform(priority: .low) { drive.quit() }
      drive.run()
      #expect(log.entries == ["canceller", "stays"])
      // The same target's new ones run.
      loop.perform(target: target, name: "n") { log.append("new") }
      drive.poll()
      #expect(log.entries == ["canceller", "stays", "new"])
    }
  }

  @Test("P5 so from a run that a perform of the batch nested", arguments: ways)
  func nestedRun(_ driver: Driver, _ way: Way) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let tokens = Log(of: GRunLoop.Perform.self)
      let target = Target()
      loop.perform {
        loop.perform(inModes: ["private"]) {
          log.append("nested")
          switch way {
          case .token: for token in tokens.entries { token.cancel() }
          case .target: loop.cancelPerforms(target: target)
          case .name: loop.cancelPerforms(target: target, name: "n")
          }
        }
        loop.run(mode: "private", for: .zero)
      }
      tokens.append(loop.perform(target: target, name: "n") { log.append("cancelled") })
      loop.perform { log.append("stays") }
      loop.perform(order: 1) { drive.quit() }
      drive.run()
      drive.poll()
      #expect(log.entries == ["nested", "stays"])
    }
  }

  @Test("P5 one that cancels itself while it runs harms nobody", arguments: Driver.allCases)
  func itself(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let target = Target()
      for index in 0..<3 {
        loop.perform(target: target, name: "\(index)") {
          log.append("\(index)")
          loop.cancelPerforms(target: target, name: "\(index)")
        }
      }
      loop.perform(after: .zero, target: target) {
        loop.cancelPerforms(target: target)
        log.append("delayed")
        drive.quit()
      }
      drive.run()
      #expect(log.entries == ["0", "1", "2", "delayed"])
    }
  }
}
