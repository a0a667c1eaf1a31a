import CGLib
import GLibRunLoop
import Testing

@Suite struct ReadyBeforeWaitingTests {
  @Test(
    "O6 what an observer makes ready before waiting is handled without sleeping first",
    arguments: pairs(Driver.allCases, [Work.source, .perform, .timer, .descriptor]))
  func handled(_ driver: Driver, _ work: Work) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      var left = 100
      // Nothing else wakes the loop: one sleep too many would last until the run's limit.
      let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
        log.append(activity.name)
        guard activity == .beforeWaiting else { return }
        work.makeReady {
          log.append("work")
          left -= 1
          if left == 0 { drive.quit() }
        }
      }
      drive.loop.add(observer, forMode: .default)
      drive.run()
      #expect(left == 0)
      let turn = ["beforeWaiting", "afterWaiting", "work"]
      let isExact = log.entries.prefix(300) == ArraySlice(Array(repeating: turn, count: 100).joined())
      #expect(isExact, "\(log.entries.prefix(12))")
    }
  }

  @Test("O6 also a source of GLib's that it attaches", arguments: Driver.allCases)
  func foreign(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var handled = false
      let observer = GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in
        Work.foreign.makeReady {
          handled = true
          drive.quit()
        }
      }
      drive.loop.add(observer, forMode: .default)
      drive.run()
      #expect(handled)
    }
  }

  @Test("O6 also what another thread makes ready at that moment", arguments: Driver.allCases)
  func fromAnotherThread(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let left = Log(of: Int.self)
      let observer = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in
        TestThread {
          loop.perform {
            left.append(1)
            if left.count == 50 { drive.quit() }
          }
        }.join()
      }
      loop.add(observer, forMode: .default)
      drive.run()
      #expect(left.count >= 50)
    }
  }

  @Test("O6 a stop before waiting ends the run without sleeping first")
  func stop() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in loop.stop() }, forMode: .default)
      for _ in 0..<50 { #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped) }
    }
  }
}
