import GLibRunLoop
import Glibc
import Testing

@Suite struct BlockedCallbackTests {
  @Test(
    "T5, P1, S1, S5 a call-back that blocks for a second: all others have their turn after it",
    arguments: Driver.allCases)
  func second(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = TestPipe()
      let performed = Log(of: Int.self)
      let log = Log(of: String.self)
      var ticks: [GRunLoop.Instant] = []
      let timer = GRunLoop.Timer(interval: .milliseconds(50), repeats: true) { timer in
        ticks.append(timer.fireDate)
        if ticks.count == 2 { drive.quit() }
      }
      let source = GRunLoop.Source(sendableHandler: { _ in log.append("source") })
      let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { input, _ in
        log.append("descriptor")
        input.invalidate()
      }
      let oneShot = GRunLoop.Timer(interval: .milliseconds(100)) { _ in log.append("one-shot") }
      let (blocked, posted) = (Gate<Void>(), Gate<Void>())
      let poster = TestThread {
        blocked.wait()
        for number in 0..<1000 { loop.perform { performed.append(number) } }
        source.signal()
        source.signal()
        pipe.write()
        posted.open()
      }
      Foreign.timeout(milliseconds: 100) {
        log.append("foreign")
        return false
      }.attach(to: loop.context)
      // Last, so that all dates pass while it blocks.
      for item in [source, input, oneShot, timer] { loop.add(item, forMode: .default) }
      loop.perform(inModes: [.default]) {
        blocked.open()
        posted.wait()
        usleep(1_000_000)
      }
      drive.run()
      poster.join()
      drive.poll()
      #expect(performed.entries == Array(0..<1000))
      #expect(log.entries.sorted() == ["descriptor", "foreign", "one-shot", "source"])
      // Some twenty dates passed: one call, and then the next date of the phase.
      #expect(ticks[1] - ticks[0] >= .milliseconds(950))
      timer.invalidate()
      source.invalidate()
    }
  }
}
