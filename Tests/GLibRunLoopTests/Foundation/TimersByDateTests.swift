import Foundation
import GLibRunLoop
import RunLoopFoundation
import Testing

@Suite struct TimersByDateTests {
  @Test("T1, T9 a timer fires at its date, then every so many seconds", arguments: Driver.allCases)
  func fires(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let first = Date() + 0.02
      let log = Log(of: Date.self)
      let timer = GRunLoop.Timer(fire: first, interval: 0.01, repeats: true) { timer in
        log.append(Date())
        #expect(timer.isValid)
        if log.count == 3 { drive.quit() }
      }
      #expect(abs(timer.date.timeIntervalSince(first)) < 1e-6)
      #expect(timer.fireDate.timebase == .wall)
      #expect(timer.timeInterval == 0.01)
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(log.entries.count == 3)
      #expect(log.entries.enumerated().allSatisfy { $1 >= first + Double($0) * 0.01 - 1e-6 })
      timer.invalidate()
    }
  }

  @Test("T2 its date can be moved", arguments: Driver.allCases)
  func moved(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let timer = GRunLoop.Timer(fire: .distantFuture) { _ in drive.quit() }
      #expect(timer.date == .distantFuture)
      drive.loop.add(timer, forMode: .default)
      drive.loop.perform { timer.date = Date() + 0.01 }
      drive.run()
      #expect(!timer.isValid)
    }
  }

  @Test("T1 a scheduled one is in this thread's loop; tolerances are seconds", arguments: Driver.allCases)
  func scheduled(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let start = Date()
      let timer = GRunLoop.Timer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in drive.quit() }
      #expect(drive.loop.contains(timer, inMode: .default))
      drive.run()
      #expect(Date().timeIntervalSince(start) >= 0.01)
      let tolerant = GRunLoop.Timer(fire: start, interval: 1, repeats: true, tolerance: 0.25, sendableHandler: { _ in })
      #expect(tolerant.tolerance == .milliseconds(250))
    }
  }
}
