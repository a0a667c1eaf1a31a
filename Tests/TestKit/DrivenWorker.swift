import GLibRunLoop
import Testing

/// A thread of the test's whose loop is run one way or the other until it is told to finish.
package final class DrivenWorker: Sendable {
  package let loop: GRunLoop
  private let drive: Drive
  private let thread: TestThread

  package init(_ driver: Driver) {
    let ready = Gate<Drive>()
    thread = TestThread {
      let drive = Drive(driver)
      // From inside the run, so that a quit finds it in progress.
      drive.loop.perform { ready.open(drive) }
      drive.run(limit: .seconds(300))
    }
    drive = ready.wait()
    loop = drive.loop
  }

  /// Ends the run and the thread.
  package func finish() {
    drive.quit()
    thread.join()
  }
}
