import GLibRunLoop
import Glibc
import Testing

@Suite struct ClosedFileTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  @Test("S6 a regular file that was closed is reported once and fires no more", arguments: Driver.allCases)
  func closedFile(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let file = moved(temporaryFile())
      var log: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: file, events: .readable) { _, events in
        log.append(events)
        if log.count == 3 { close(file) }
        if events == .invalid || log.count > 100_000 { drive.quit() }
      }
      drive.loop.add(source, forMode: .default)
      drive.run()
      drive.run(for: .milliseconds(10))
      // It may be called as readable for some passes more; what matters is that they end.
      #expect(log.count(where: { $0 == .invalid }) == 1)
      #expect(log.last == .invalid)
      #expect(!source.isValid)
    }
  }

  @Test(
    "S6 a closed descriptor is found also while a file, which is always ready, is watched", arguments: Driver.allCases)
  func closedBesideFile(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let file = temporaryFile()
      defer { close(file) }
      let pipe = TestPipe()
      let number = moved(dup(pipe.reader))
      var log: [Events] = []
      let always = GRunLoop.DescriptorSource(fileDescriptor: file, events: .readable) { _, _ in }
      let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        log.append(events)
        drive.quit()
      }
      drive.loop.add(always, forMode: .default)
      drive.loop.add(source, forMode: .default)
      drive.loop.perform { close(number) }
      drive.run()
      #expect(log == [.invalid])
    }
  }

  @Test("S6 a pipe under the number of a closed file is not taken for a file", arguments: Driver.allCases)
  func pipeInFilesPlace(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let file = moved(temporaryFile())
      let pipe = TestPipe()
      defer { close(file) }
      var log: [String] = []
      let old = GRunLoop.DescriptorSource(fileDescriptor: file, events: .readable) { _, events in
        if log.count < 100 { log.append("old \(events.rawValue)") }
      }
      drive.loop.add(old, forMode: .default)
      dup2(pipe.reader, file)
      let new = GRunLoop.DescriptorSource(fileDescriptor: file, events: .readable) { _, events in
        if log.count < 100 { log.append("new \(events.rawValue) \(pipe.drain())") }
        if log.last == "new 1 3" { drive.quit() }
      }
      drive.loop.add(new, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(5)) { _ in pipe.write(3) }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      drive.run(for: .milliseconds(5))
      #expect(log == ["old 32", "new 1 3"])
    }
  }
}
