import CGLib
import GLibRunLoop
import Testing

@Suite struct IsWaitingAtWorkTests {
  @Test(
    "O8 a loop does not say that it waits while a call-back runs, of whoever's and of whatever priority",
    arguments: Driver.allCases, [-100, 0, 200] as [CInt])
  func inCallbacks(_ driver: Driver, priority: CInt) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var seen: [Bool] = []
      let source = Foreign.readable(pipe.reader) {
        seen.append(drive.loop.isWaiting)
        drive.quit()
        return false
      }
      g_source_set_priority(source, priority)
      source.attach(to: drive.loop.context)
      let loop = drive.loop
      let thread = TestThread {
        // It is asleep, in earnest.
        eventually { loop.isWaiting }
        pipe.write()
      }
      drive.run()
      thread.join()
      #expect(seen == [false])
      #expect(!drive.loop.isWaiting)
    }
  }
}
