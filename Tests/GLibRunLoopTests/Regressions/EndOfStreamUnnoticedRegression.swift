import GLibRunLoop
import Testing

/// Only readable was listened to, so that the end of a child's output, which is a hang-up and nothing to read, was
/// never noticed.
/// https://github.com/jhenstridge/asyncio-glib/issues/5
@Suite struct EndOfStreamUnnoticedRegression {
  @Test("S5 the end of a stream comes to who asked to read (asyncio-glib)", arguments: Driver.allCases)
  func end(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let output = TestPipe()
      var lines: [Int] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: output.reader, events: .readable) { source, events in
        let count = output.drain()
        if count > 0 { lines.append(count) }
        if count == 0, events.contains(.hungUp) {
          source.invalidate()
          drive.quit()
        }
      }
      drive.loop.add(source, forMode: .default)
      drive.loop.perform(after: .milliseconds(2)) { output.write(3) }
      drive.loop.perform(after: .milliseconds(4)) { output.closeWriter() }
      drive.run()
      #expect(lines.reduce(0, +) == 3)
      #expect(!source.isValid)
    }
  }
}
