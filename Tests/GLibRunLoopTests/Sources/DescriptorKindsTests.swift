import GLibRunLoop
import Glibc
import Testing

@Suite struct DescriptorKindsTests {
  @Test(
    "S5 sockets, pipes, eventfds, ttys and inotify: fires while readable, and the loop itself reads nothing",
    arguments: Driver.allCases, DescriptorKind.allCases)
  func firesWhileReadable(_ driver: Driver, _ kind: DescriptorKind) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let readable = Readable(kind)
      var calls: [GRunLoop.DescriptorSource.Events] = []
      var bytes = 0
      let source = GRunLoop.DescriptorSource(fileDescriptor: readable.descriptor, events: .readable) { _, events in
        calls.append(events)
        // Left unread twice: it fires again, since it is level-triggered.
        guard calls.count == 3 else { return }
        bytes = drain(readable.descriptor)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      drive.poll()
      #expect(calls.isEmpty)
      // From a timer, so that the loop sleeps on the descriptor before and after.
      let timer = GRunLoop.Timer(interval: .milliseconds(2)) { _ in readable.makeReadable() }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(calls == [.readable, .readable, .readable])
      #expect(bytes > 0)
      // Read empty, it fires no more.
      for _ in 0..<3 { drive.poll() }
      #expect(calls.count == 3)
      readable.makeReadable()
      calls = []
      drive.run()
      #expect(calls.count == 3)
      #expect(source.isValid)
    }
  }

  @Test("S5 readiness that comes from another thread ends a sleep", arguments: Driver.allCases)
  func wakesFromSleep(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      let log = Log(of: Int.self)
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
        log.append(pipe.drain())
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      let loop = drive.loop
      let thread = TestThread {
        waitUntilAsleep(loop)
        pipe.write(3)
      }
      drive.run()
      thread.join()
      #expect(log.entries == [3])
    }
  }

  @Test("S5 a regular file is always ready, and starves nobody", arguments: Driver.allCases)
  func regularFile(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let file = temporaryFile()
      defer { close(file) }
      let pipe = TestPipe()
      var calls: Set<GRunLoop.DescriptorSource.Events> = []
      var log: [String] = []
      let both = GRunLoop.DescriptorSource(fileDescriptor: file, events: [.readable, .writable]) { _, events in
        calls.insert(events)
      }
      var reads = 0
      let source = GRunLoop.DescriptorSource(fileDescriptor: file, events: .readable) { source, events in
        calls.insert(events)
        reads += 1
        guard reads == 20 else { return }
        // Still as the caller left it, after twenty calls.
        #expect(lseek(file, 0, SEEK_CUR) == 0)
        // Paused, it is called no more; the loop can sleep again.
        source.events = []
        both.events = []
        log.append("paused")
        pipe.write()
      }
      let other = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
        pipe.drain()
        log.append("pipe")
        if log.count > 3 { drive.quit() }
      }
      let ticks = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { timer in
        guard reads == 20, log.last == "pipe" else { return }
        log.append("timer")
        timer.invalidate()
        drive.quit()
      }
      for item in [source, both, other] { drive.loop.add(item, forMode: .default) }
      drive.loop.add(ticks, forMode: .default)
      drive.run()
      #expect(calls == [.readable, [.readable, .writable]])
      #expect(log == ["paused", "pipe", "timer"])
      #expect(reads == 20)
      // Asked for again from another thread while the loop sleeps.
      reads = 19
      let loop = drive.loop
      let thread = TestThread {
        waitUntilAsleep(loop)
        source.events = .readable
      }
      drive.run()
      thread.join()
      #expect(log == ["paused", "pipe", "timer", "paused", "pipe"])
    }
  }
}
