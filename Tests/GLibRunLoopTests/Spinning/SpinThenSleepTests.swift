import CFaults
import GLibRunLoop
import Glibc
import Testing

@Suite struct SpinThenSleepTests {
  @Test("R8 once the spin is over the loop sleeps: it is woken by nothing but the event", arguments: [true, false])
  func sleeps(observed: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let loop = drive.loop
      loop.spinDuration = .microseconds(200)
      let pipe = BytePipe()
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in }
      loop.add(descriptor, forMode: .default)
      if observed { loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in }, forMode: .default) }
      let start = GRunLoop.Timer(interval: .milliseconds(50)) { _ in fault_set(FAULT_EPOLL_WAIT, 0, 0, 0) }
      let end = GRunLoop.Timer(interval: .milliseconds(1050)) { _ in drive.quit() }
      loop.add(start, forMode: .default)
      loop.add(end, forMode: .default)
      drive.run()
      // Calls that wait: one, which ends at the timer's date.
      #expect(fault_calls(FAULT_EPOLL_WAIT) == 1)
      descriptor.invalidate()
    }
  }

  @Test("R8 nothing spins where it would not help: while GLib drives, and in a time that is moved by hand")
  func elsewhere() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.spinDuration = .longSpin
      let drive = Drive(.glib)
      loop.add(GRunLoop.Timer(interval: .milliseconds(20)) { _ in drive.quit() }, forMode: .default)
      fault_set(FAULT_EPOLL_POLL, 0, 0, 0)
      drive.run()
      #expect(fault_calls(FAULT_EPOLL_POLL) < 10)

      GRunLoop.withManualClock { clock in
        // Without a date the sleep is a real one. In it time stands still: a spin would never end, nor look again.
        let pipe = BytePipe()
        let seen = Log(of: Void.self)
        let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in
          pipe.take()
          seen.append(())
        }
        loop.add(descriptor, forMode: .default)
        let thread = TestThread {
          waitUntilAsleep(loop)
          usleep(10_000)
          pipe.put()
          // By this thread's clock.
          #expect(eventually { seen.count == 1 })
          loop.stop()
        }
        loop.run()
        thread.join()
        descriptor.invalidate()
      }
    }
  }
}
