import GLibRunLoop
import Glibc
import Testing

/// A descriptor is closed while watched, and its number goes to another file before the loop looks.
@Suite struct ReopenedDescriptorTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  @Test("S6 reopened under the same number: the old source is told once, and dropped", arguments: Driver.allCases)
  func oldSourceIsTold(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (old, new) = (TestPipe(), TestPipe())
      let number = moved(dup(old.reader))
      old.closeReader()
      defer { close(number) }
      var log: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        log.append(events)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(2)) { _ in
        dup2(new.reader, number)
        new.write()
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      drive.run(for: .milliseconds(10))
      #expect(log == [.invalid])
      #expect(!source.isValid)
    }
  }

  @Test("S6 reopened while its old file lives on and is readable: told once, no spin", arguments: Driver.allCases)
  func oldFileLivesOn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (old, new) = (TestPipe(), TestPipe())
      let number = moved(dup(old.reader))
      defer { close(number) }
      var log: [Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        log.append(events)
        drain(number)
        if events == .invalid || log.count > 100_000 { drive.quit() }
      }
      drive.loop.add(source, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(2)) { _ in
        dup2(new.reader, number)
        old.write()
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      drive.run(for: .milliseconds(10))
      // Some passes may have seen the old file ready; what matters is that they end.
      #expect(log.filter { $0 == .invalid }.count == 1)
      #expect(log.suffix(1) == [.invalid])
      #expect(!source.isValid)
    }
  }

  @Test(
    "S6 a new source for the reopened number hears of the new file only, the old one is told",
    arguments: Driver.allCases, [false, true])
  func newSource(_ driver: Driver, _ oldFileLivesOn: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (old, new) = (TestPipe(), TestPipe())
      let number = moved(dup(old.reader))
      if !oldFileLivesOn { old.closeReader() }
      defer { close(number) }
      var log: [String] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        if log.count < 100 { log.append(events == .invalid ? "old invalid" : "old ready") }
      }
      drive.loop.add(source, forMode: .default)
      let second = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        if log.count < 100 { log.append(events == .readable ? "new \(drain(number))" : "new \(events.rawValue)") }
        if log.last == "new 3" { drive.quit() }
      }
      let change = GRunLoop.Timer(interval: .milliseconds(2)) { _ in
        dup2(new.reader, number)
        drive.loop.add(second, forMode: .default)
        if oldFileLivesOn { old.write() }
      }
      let news = GRunLoop.Timer(interval: .milliseconds(20)) { _ in new.write(3) }
      drive.loop.add(change, forMode: .default)
      drive.loop.add(news, forMode: .default)
      drive.run()
      drive.run(for: .milliseconds(5))
      #expect(log == ["old invalid", "new 3"])
      #expect(second.isValid)
    }
  }

  @Test("S6 invalidated before the close, as documented, the number can be watched anew", arguments: Driver.allCases)
  func documentedOrder(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let number = privateNumber()
      defer { close(number) }
      for round in 1...20 {
        let pipe = TestPipe()
        dup2(pipe.reader, number)
        var log: [Int] = []
        let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { source, _ in
          log.append(pipe.drain())
          source.invalidate()
          drive.quit()
        }
        drive.loop.add(source, forMode: .default)
        pipe.write(round)
        drive.run()
        #expect(log == [round])
      }
    }
  }
}
