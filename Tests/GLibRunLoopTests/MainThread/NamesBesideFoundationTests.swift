import Foundation
import GLibRunLoop
import Testing

/// Half of what it proves is that it compiles: no name is the other module's, too.
@Suite struct NamesBesideFoundationTests {
  @Test("L1, T1 Foundation and GLibRunLoop are used in one file without qualified names")
  func together() async throws {
    try await onLoopThread {
      let log = Log(of: String.self)
      let foundationTimer = Timer(timeInterval: 3600, repeats: true) { _ in log.append("Foundation's") }
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in log.append("ours") }
      let foundationLoop: RunLoop = .current
      let loop: GRunLoop = .current
      foundationLoop.add(foundationTimer, forMode: .default)
      loop.add(timer, forMode: .default)
      loop.add(GRunLoop.Observer(activities: .exit, repeats: false) { _, _ in log.append("exit") }, forMode: .common)
      let port: Port.Type = SocketPort.self
      let mode: RunLoop.Mode = .common
      let ours: GRunLoop.Mode = .common
      #expect(mode.rawValue == ours.rawValue)
      #expect(port != Port.self)
      let date: Date = .distantPast
      #expect(date < .now)
      loop.run(until: .distantFuture)
      foundationTimer.invalidate()
      #expect(log.entries == ["ours", "exit"])
    }
  }
}
