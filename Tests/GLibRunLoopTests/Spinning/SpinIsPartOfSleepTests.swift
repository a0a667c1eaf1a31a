import GLibRunLoop
import Glibc
import Testing

@Suite struct SpinIsPartOfSleepTests {
  /// The first is over before the loop is given anything, in the second it is given all.
  @Test(
    "O4, R9 a spin, and the sleep behind it, are one sleep: one pair of call-outs, in which the loop waits",
    arguments: [Duration.microseconds(50), .longSpin])
  func onePair(_ spin: Duration) async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let loop = drive.loop
      loop.spinDuration = spin
      let events = 100
      let asleep = Gate<Void>()
      let log = Log(of: String.self)
      log.watch([.entry, .beforeWaiting, .afterWaiting, .exit])
      loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in asleep.open() }, forMode: .default)
      let thread = TestThread {
        for event in 0..<events {
          asleep.wait()
          while !loop.isWaiting { sched_yield() }
          if spin < .longSpin { usleep(200) }
          #expect(loop.isWaiting)
          loop.perform {
            log.append(loop.isWaiting ? "still waiting" : "work")
            if event == events - 1 { drive.quit() }
          }
        }
      }
      drive.run()
      thread.join()
      let each = ["beforeWaiting", "afterWaiting", "work"]
      #expect(log.entries == ["entry"] + (0..<events).flatMap { _ in each } + ["exit"])
    }
  }

  @Test("O6 what a beforeWaiting observer makes ready is handled without a spin", arguments: Work.allCases)
  func readyBefore(_ work: Work) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.spinDuration = .longSpin
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.add(
        GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in work.makeReady { loop.stop() } },
        forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
    }
  }
}
