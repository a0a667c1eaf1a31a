import CGLib
import GLibRunLoop
import Glibc
import Testing

/// A source that another thread attached between the context's query and its poll was not heard until some other event.
/// https://github.com/GNOME/glib/pull/21
@Suite struct AttachRacesPollRegression {
  @Test(
    "L6, M6, M8 a source attached while the context goes to sleep is heard (GLib)",
    arguments: Driver.allCases, [false, true])
  func heard(_ driver: Driver, asItem: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let served = Log(of: Int.self)
      let rounds = Locked(0)
      let attacher = TestThread {
        for round in Rounds(2000) {
          rounds.withLock { $0 += 1 }
          let idle = Foreign.idle {
            served.append(round)
            return false
          }
          if asItem { loop.add(idle, forMode: .default) } else { idle.attach(to: loop.context) }
          guard eventually({ served.count > round }) else { break }
          for _ in 0..<(round % 40) { sched_yield() }
        }
        drive.quit()
      }
      drive.run(limit: .seconds(120))
      attacher.join()
      #expect(served.entries == Array(0..<rounds.withLock { $0 }))
    }
  }
}
