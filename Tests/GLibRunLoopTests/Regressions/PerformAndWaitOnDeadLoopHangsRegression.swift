import GLibRunLoop
import Testing

/// The thread ended while somebody waited for it: the waiting one crashed, or hung.
/// https://github.com/AlphaWallet/alpha-wallet-ios/issues/4883
/// https://github.com/adam-roth/coredata-threadsafe/issues/2
@Suite struct PerformAndWaitOnDeadLoopHangsRegression {
  @Test("P3, L5 who waits for a thread that ends gets an error (AlphaWallet)", arguments: Driver.allCases)
  func error(_ driver: Driver) throws {
    let ready = Gate<GRunLoop>()
    let mayEnd = Gate<Void>()
    let thread = TestThread {
      let drive = Drive(driver)
      drive.loop.perform {
        ready.open(drive.loop)
        mayEnd.wait()
        drive.quit()
      }
      drive.run()
      // The end of the run is not that of the loop; that of the thread is.
    }
    let loop = ready.wait()
    // The limit would throw another error: it is for a loop that forgets who waits.
    let waiters = (0..<3).map { _ in
      TestThread {
        #expect(throws: GRunLoop.Failure.ended) {
          while true { try loop.performAndWait(timeout: .seconds(60)) {} }
        }
      }
    }
    mayEnd.open()
    thread.join()
    for waiter in waiters { waiter.join() }
    #expect(throws: GRunLoop.Failure.ended) { try loop.performAndWait { Issue.record("it ran") } }
  }
}
