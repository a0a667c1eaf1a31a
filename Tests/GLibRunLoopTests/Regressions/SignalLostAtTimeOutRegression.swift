import GLibRunLoop
import Glibc
import Testing

/// An event that another thread activated was lost when its loop's time-out came at that very moment.
/// https://github.com/libevent/libevent/issues/1530
@Suite struct SignalLostAtTimeOutRegression {
  @Test("S1, S2, R7 a signal that comes together with a time-out is heard (libevent)", arguments: Driver.allCases)
  func heard(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (fires, heard) = (Log(of: Int.self), Log(of: Int.self))
      let timer = GRunLoop.Timer(
        interval: .microseconds(200), repeats: true, sendableHandler: { _ in fires.append(0) })
      let source = GRunLoop.Source(sendableHandler: { _ in heard.append(0) })
      drive.loop.add(timer, forMode: .default)
      drive.loop.add(source, forMode: .default)
      let rounds = Locked(0)
      let activator = TestThread {
        for round in Rounds(1000) {
          rounds.withLock { $0 += 1 }
          // About when the timer comes.
          let seen = fires.count
          eventually { fires.count > seen }
          for _ in 0..<(round % 20) { sched_yield() }
          source.signal()
          guard eventually({ heard.count > round }) else { break }
        }
        drive.quit()
      }
      drive.run(limit: .seconds(120))
      activator.join()
      timer.invalidate()
      source.invalidate()
      #expect(heard.count == rounds.withLock { $0 })
    }
  }
}
