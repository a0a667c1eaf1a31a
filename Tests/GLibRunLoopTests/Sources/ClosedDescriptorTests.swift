import GLibRunLoop
import Glibc
import Testing

@Suite struct ClosedDescriptorTests {
  typealias Events = GRunLoop.DescriptorSource.Events

  /// What a loop did with a source whose descriptor somebody closed.
  private struct Outcome {
    var events: [Events] = []
    var isValid = true
    /// How often the loop turned in the time after the report.
    var passes = 0
  }

  /// Watches `descriptor`, does `harm` to it in mid-run, lets the loop go on until a report came and a while after.
  private static func outcome(
    _ driver: Driver, _ descriptor: CInt, asking events: Events = .readable, _ harm: @escaping () -> Void
  ) -> Outcome {
    let drive = Drive(driver)
    var outcome = Outcome()
    let source = GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: events) { _, events in
      outcome.events.append(events)
      if events.contains(.invalid) { drive.quit() }
    }
    drive.loop.add(source, forMode: .default)
    let timer = GRunLoop.Timer(interval: .milliseconds(2)) { _ in harm() }
    drive.loop.add(timer, forMode: .default)
    drive.run()
    let watch = GRunLoop.Observer(activities: .beforeTimers) { _, _ in outcome.passes += 1 }
    drive.loop.add(watch, forMode: .default)
    drive.run(for: .milliseconds(50))
    outcome.isValid = source.isValid
    return outcome
  }

  @Test("S6 closed while watched: reported once as invalid, dropped, and the loop sleeps", arguments: Driver.allCases)
  func closed(_ driver: Driver) async throws {
    try await onLoopThread {
      let pipe = TestPipe()
      let number = moved(dup(pipe.reader))
      pipe.closeReader()
      let outcome = Self.outcome(driver, number) { close(number) }
      #expect(outcome.events == [.invalid])
      #expect(!outcome.isValid)
      #expect(outcome.passes < 20)
    }
  }

  @Test("S6 closed while its file lives on under another number: reported, no spin", arguments: Driver.allCases)
  func closedButDuplicated(_ driver: Driver) async throws {
    try await onLoopThread {
      let pipe = TestPipe()
      let number = moved(dup(pipe.reader))
      // The kernel goes on reporting the file, which is readable now, under the closed number.
      let outcome = Self.outcome(driver, number) {
        close(number)
        pipe.write()
      }
      // Until the loop looks, which is at most a millisecond of turning later, the source sees the file ready.
      #expect(outcome.events.filter { $0 == .invalid }.count == 1)
      #expect(outcome.events.suffix(1) == [.invalid])
      #expect(!outcome.isValid)
      #expect(outcome.passes < 20)
    }
  }

  @Test("S6 other descriptors go on being watched when a closed one is dropped", arguments: Driver.allCases)
  func othersGoOn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (doomed, kept) = (TestPipe(), TestPipe())
      let number = moved(dup(doomed.reader))
      var log: [String] = []
      let other = GRunLoop.DescriptorSource(fileDescriptor: kept.reader, events: .readable) { _, _ in
        log.append("other \(kept.drain())")
        drive.quit()
      }
      let source = GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
        guard events == .invalid else { return }
        log.append("invalid")
        kept.write(2)
      }
      drive.loop.add(source, forMode: .default)
      drive.loop.add(other, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(2)) { _ in
        close(number)
        doomed.write()
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(log == ["invalid", "other 2"])
      kept.write(3)
      drive.run()
      #expect(log == ["invalid", "other 2", "other 3"])
    }
  }
}
