import GLibRunLoop
import Testing

@Suite struct FloodFromThreadsTests {
  @Test(
    "R10 a flood from other threads does not keep the loop from its timers and from GLib's", arguments: Driver.allCases)
  func otherThreads(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let isOver = Log(of: Bool.self)
      let threads = (0..<2).map { _ in
        TestThread {
          let room = Gate<Void>()
          while isOver.count == 0 {
            // A batch at a time, so that memory stays small.
            for _ in 0..<100 { loop.perform {} }
            loop.perform { room.open() }
            room.wait()
          }
        }
      }
      var (ticks, foreign) = (0, 0)
      func check() { if ticks >= 20 && foreign >= 20 && isOver.count == 0 { drive.quit() } }
      loop.add(
        GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
          ticks += 1
          check()
        }, forMode: .default)
      Foreign.idle {
        foreign += 1
        check()
        return foreign < 1000
      }.attach(to: loop.context)
      drive.run()
      #expect(ticks >= 20 && foreign >= 20)
      isOver.append(true)
      // They may still wait for a last batch.
      let joiner = TestThread {
        for thread in threads { thread.join() }
        loop.perform { drive.quit() }
      }
      drive.run()
      joiner.join()
    }
  }
}
