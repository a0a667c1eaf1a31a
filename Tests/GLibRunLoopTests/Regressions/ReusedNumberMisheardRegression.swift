import GLibRunLoop
import Glibc
import Testing

/// Two descriptors were ready at once; the first one's handler closed the second and opened another file, which got its
/// number. The old file's event was then delivered to the new file's source.
/// https://github.com/rust-vmm/event-manager/issues/41
/// https://github.com/joyent/libuv/pull/968
@Suite struct ReusedNumberMisheardRegression {
  @Test(
    "S6, S8 an event of a closed file is not taken for the next file's under that number (rust-vmm, libuv)",
    arguments: Driver.allCases)
  func notMisheard(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (first, second, third) = (TestPipe(), TestPipe(), TestPipe())
      let number = moved(dup(second.reader))
      defer { close(number) }
      let log = Log(of: String.self)
      let old = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable, order: 1) { _, _ in
        log.append("old")
      }
      let new = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable, order: 1) { source, _ in
        log.append("new \(drain(number))")
        source.invalidate()
        drive.quit()
      }
      let exchange = GRunLoop.DescriptorSource(fileDescriptor: first.reader, events: .readable, order: 0) { source, _ in
        log.append("exchange")
        source.invalidate()
        old.invalidate()
        close(number)
        dup2(third.reader, number)
        drive.loop.add(new, forMode: .default)
        drive.loop.perform(after: .milliseconds(20)) { third.write(4) }
      }
      drive.loop.add(old, forMode: .default)
      drive.loop.add(exchange, forMode: .default)
      // Both are ready before the loop looks.
      first.write()
      second.write()
      drive.run()
      #expect(log.entries == ["exchange", "new 4"])
    }
  }
}
