import GLibRunLoop
import Glibc
import Testing

/// A post found the queue not empty and so woke nobody, while the loop had just taken the rest and fell asleep.
/// https://github.com/eclipse-platform/eclipse.platform.swt/issues/3151
/// https://github.com/tauri-apps/tao/pull/1271
@Suite struct PostBeforeSleepLostRegression {
  @Test(
    "P1, R7 a post that meets the loop between its last look and its sleep is heard (SWT, tao)",
    arguments: Driver.allCases)
  func heard(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let served = Log(of: Int.self)
      let rounds = Locked(0)
      let poster = TestThread {
        for round in Rounds(3000) {
          rounds.withLock { $0 += 1 }
          loop.perform { served.append(round) }
          // The second comes while the first is still queued, runs, or has just run.
          for _ in 0..<(round % 50) { sched_yield() }
          loop.perform { served.append(round) }
          guard eventually({ served.count >= 2 * (round + 1) }) else { break }
        }
        drive.quit()
      }
      drive.run(limit: .seconds(120))
      poster.join()
      #expect(served.entries == (0..<rounds.withLock { $0 }).flatMap { [$0, $0] })
    }
  }
}
