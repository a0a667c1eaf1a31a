import CFaults
import GLibRunLoop
import Glibc
import Testing

/// A descriptor that the kernel watches no more is never lost in silence, and never makes the loop spin.
@Suite struct DescriptorDroppedTests {
  @Test("S5, S6 a source that cannot be resumed is told so, once, and the reason is said", arguments: Driver.allCases)
  func resumed(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var told: [GRunLoop.DescriptorSource.Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, events in
        told.append(events)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      source.events = []
      let said = CapturedWarnings.during {
        #expect(Faults.during(FAULT_EPOLL_ADD, ENOSPC) { source.events = .readable } == 1)
        drive.run()
      }
      #expect(told == [.invalid])
      #expect(!source.isValid)
      #expect(said.count == 1)
      #expect(
        said.first?.contains("descriptor \(pipe.reader) is not watched any more, its sources are invalid") ?? false)
      #expect(said.first?.contains("max_user_watches") ?? false)
    }
  }

  @Test(
    "S6 a closed descriptor whose file lives on takes a new set; if the kernel refuses that, all sources are told",
    arguments: Driver.allCases, [(FAULT_EPOLL_CREATE, EMFILE), (FAULT_EPOLL_ADD, ENOMEM)])
  func noNewSet(_ driver: Driver, _ refusal: (call: fault_call, error: CInt)) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (pipe, other) = (TestPipe(), TestPipe())
      let copy = moved(dup(pipe.reader))
      let log = Log(of: String.self)
      for (name, descriptor) in [("closed", copy), ("other", other.reader)] {
        let source = GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: .readable) { _, events in
          log.append("\(name) \(events == .invalid ? "invalid" : "ready")")
          if log.count == 2 { drive.quit() }
        }
        drive.loop.add(source, forMode: .default)
      }
      let said = CapturedWarnings.during {
        let hits = Faults.during(refusal.call, refusal.error, count: 1) {
          close(copy)
          drive.run()
        }
        #expect(hits == 1)
        // The file behind the closed number is readable now, and nobody is to hear of it.
        pipe.write()
        fault_set(FAULT_EPOLL_POLL, 0, 0, 0)
        drive.run(for: .milliseconds(50))
        #expect(fault_calls(FAULT_EPOLL_POLL) < 20, "the loop spins")
      }
      #expect(log.entries.sorted() == ["closed invalid", "other invalid"])
      #expect(said.count == 1)
      #expect(said.first?.contains("descriptor \(other.reader) is not watched any more") ?? false)
      let again = GRunLoop.DescriptorSource(fileDescriptor: other.reader, events: .readable) { _, _ in
        log.append("again")
        drive.quit()
      }
      #expect(drive.loop.add(again, forMode: .default))
      other.write()
      drive.run()
      again.invalidate()
      #expect(log.entries.last == "again")
    }
  }

  @Test("S6 with a new set all open descriptors are watched as before", arguments: Driver.allCases)
  func newSet(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (pipe, other) = (TestPipe(), TestPipe())
      let copy = moved(dup(pipe.reader))
      let log = Log(of: String.self)
      for (name, descriptor) in [("closed", copy), ("other", other.reader)] {
        let source = GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: .readable) { source, events in
          log.append("\(name) \(events == .invalid ? "invalid" : "ready")")
          if events == .readable { source.invalidate() }
          if events == .invalid { other.write() }
          if log.count == 2 { drive.quit() }
        }
        drive.loop.add(source, forMode: .default)
      }
      close(copy)
      drive.run()
      #expect(log.entries == ["closed invalid", "other ready"])
    }
  }
}
