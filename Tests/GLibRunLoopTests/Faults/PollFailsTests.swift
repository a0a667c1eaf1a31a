import CFaults
import GLibRunLoop
import Glibc
import Testing

/// poll(2) fails when the process has more descriptors than it may open, or the kernel has no memory.
@Suite struct PollFailsTests {
  @Test("R8, M6 while poll fails the loop says so once, does not spin, and all own work and GLib's time-outs go on")
  func goesOn() async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let log = Log(of: String.self)
      let (pipe, foreignPipe) = (TestPipe(), TestPipe())
      let timer = GRunLoop.Timer(interval: .milliseconds(30)) { _ in
        log.append("timer")
        drive.loop.perform {
          log.append("perform")
          pipe.write()
        }
      }
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { source, _ in
        source.invalidate()
        log.append("descriptor")
        Foreign.timeout(milliseconds: 1) {
          log.append("foreign")
          drive.quit()
          return false
        }.attach(to: drive.loop.context)
      }
      drive.loop.add(timer, forMode: .default)
      drive.loop.add(source, forMode: .default)
      // GLib's own descriptor is not watched meanwhile, so that nothing of it may be reported.
      Foreign.readable(foreignPipe.reader) {
        _ = foreignPipe.drain()
        log.append("readable")
        drive.quit()
        return true
      }.attach(to: drive.loop.context)
      foreignPipe.write()
      let said = CapturedWarnings.during {
        let hits = Faults.during(FAULT_POLL, EINVAL) { drive.run() }
        #expect(hits > 1 && hits < 100, "\(hits) polls: the loop spins, or does not poll")
      }
      #expect(log.entries == ["timer", "perform", "descriptor", "foreign"])
      #expect(said.count == 1)
      #expect(said.first?.contains("GLib's descriptors are not watched for now: poll of") ?? false)
      // Polled again, they are heard.
      drive.run()
      #expect(log.entries.last == "readable")
    }
  }

  @Test(
    "R7, R8 a signal does not end the sleep; where a sandbox forbids the exact wait there is another",
    arguments: [
      (FAULT_EPOLL_WAIT, EINTR), (FAULT_EPOLL_WAIT, ENOSYS), (FAULT_EPOLL_WAIT, EPERM), (FAULT_POLL, EINTR),
    ])
  func waits(_ fault: (call: fault_call, error: CInt)) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let pipe = TestPipe()
      // With a descriptor of GLib's, it is another call that waits.
      if fault.call == FAULT_POLL { Foreign.readable(pipe.reader) { true }.attach(to: loop.context) }
      inTime(from: .milliseconds(50)) { time in
        let log = Log(of: String.self)
        let watch = log.watch([.beforeWaiting, .afterWaiting])
        defer { watch.invalidate() }
        let start = GRunLoop.Instant.now
        loop.add(GRunLoop.Timer(fireDate: start + time) { _ in log.append("timer") }, forMode: .default)
        let hits = Faults.during(fault.call, fault.error, count: 5) {
          #expect(loop.run(mode: .default, for: .seconds(60)) == .finished)
        }
        #expect(.now - start >= time)
        // On a slow machine the date has come before the loop could sleep, or before the wait that was to fail.
        if log.entries == ["timer"] || hits == 0 { return false }
        #expect(log.entries == ["beforeWaiting", "afterWaiting", "timer"])
        return true
      }
    }
  }

  @Test("S6 the look for closed descriptors goes on once poll works again")
  func verification() async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let pipe = TestPipe()
      let descriptor = moved(dup(pipe.reader))
      var told: [GRunLoop.DescriptorSource.Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: .readable) { _, events in
        told.append(events)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      close(descriptor)
      _ = CapturedWarnings.during {
        Faults.during(FAULT_POLL, ENOMEM, count: 3) { drive.run() }
      }
      #expect(told == [.invalid])
    }
  }
}
