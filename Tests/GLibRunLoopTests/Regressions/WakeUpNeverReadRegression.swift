import GLibRunLoop
import Testing

/// The descriptor by which another thread wakes the loop stayed readable after the first time, and the loop never slept
/// again. (The same for Dispatch's main queue is among the scenarios of the main thread.)
/// https://github.com/gnustep/libs-base/issues/378
@Suite struct WakeUpNeverReadRegression {
  enum Form: CaseIterable, Sendable { case perform, signal, wakeUp }

  @Test(
    "R7, R8 a wake-up is used up, and the loop sleeps again (GNUstep)",
    arguments: pairs(Driver.allCases, Form.allCases), [false, true])
  func sleepsAgain(_ combination: (Driver, Form), observed: Bool) async throws {
    let (driver, form) = combination
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let source = GRunLoop.Source(sendableHandler: { _ in })
      loop.add(source, forMode: .default)
      let observer = GRunLoop.Observer(activities: observed ? .all : .beforeTimers) { _, _ in }
      loop.add(observer, forMode: .default)
      let waker = TestThread {
        for _ in 0..<3 {
          eventually { loop.isWaiting }
          switch form {
          case .perform: loop.perform {}
          case .signal: source.signal()
          case .wakeUp: loop.wakeUp()
          }
        }
      }
      let iterations = Iterations(of: loop.context)
      let turns = iterations.during { drive.run(for: .milliseconds(300)) }
      waker.join()
      #expect(turns > 0 && turns < 50)
      observer.invalidate()
      source.invalidate()
    }
  }
}
