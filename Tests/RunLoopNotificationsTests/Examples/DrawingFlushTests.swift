import GLibRunLoop
import Testing

@Suite struct DrawingFlushTests {
  @Test("E7, N2, N3 many drawing calls lead to one flush a pass", arguments: Driver.allCases)
  func oneFlush(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (first, second) = (Canvas(), Canvas())
      var passes = 0
      let drawing = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { timer in
        // Each pass finds the flush of the one before done.
        #expect(first.flushes == passes)
        for _ in 0..<100 {
          first.draw()
          second.draw()
        }
        passes += 1
        if passes == 5 {
          timer.invalidate()
          drive.loop.perform(inModes: [.default], after: .milliseconds(1)) { drive.quit() }
        }
      }
      drive.loop.add(drawing, forMode: .default)
      drive.run()
      #expect(first.flushes == 5)
      #expect(second.flushes == 5)
      first.close()
      second.close()
    }
  }
}
