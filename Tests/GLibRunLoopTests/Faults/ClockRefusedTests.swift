import CFaults
import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct ClockRefusedTests {
  @Test(
    "T9 a timer on another clock that the kernel refuses is in no mode; the next try works", arguments: Driver.allCases,
    [
      (FAULT_TIMERFD_CREATE, EMFILE, "timerfd_create failed: Too many open files"),
      (FAULT_EPOLL_ADD, ENOSPC, "epoll_ctl failed: No space"),
    ]
  )
  func otherClock(_ driver: Driver, _ refusal: (call: fault_call, error: CInt, message: String)) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let timer = GRunLoop.Timer(fireDate: .now(on: .wall) + .milliseconds(1)) { _ in drive.quit() }
      let said = CapturedWarnings.during {
        Faults.during(refusal.call, refusal.error) { #expect(!drive.loop.add(timer, forMode: .default)) }
      }
      #expect(said.count == 1 && said.first?.contains(refusal.message) ?? false)
      #expect(timer.isValid && !drive.loop.contains(timer, inMode: .default))
      #expect(drive.loop.add(timer, forMode: .default))
      drive.run()
    }
  }

  @Test("T8 GLib drives, without a clock of the kernel's: timers are said to be coarse once, and none is early or lost")
  func coarse() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      var calls = 0
      let step = Duration.microseconds(2300)
      let timer = GRunLoop.Timer(interval: step, repeats: true) { timer in
        #expect(.now >= timer.fireDate)
        calls += 1
        if calls == 20 { drive.quit() }
      }
      drive.loop.add(timer, forMode: .default)
      let said = CapturedWarnings.during {
        let hits = Faults.during(FAULT_TIMERFD_CREATE, EMFILE) { drive.run() }
        #expect(hits > 1)
      }
      #expect(calls == 20)
      #expect(said.count == 1)
      #expect(said.first?.contains("timers come up to a millisecond late: timerfd_create failed") ?? false)
      // The kernel has one again; a second refusal would be said anew.
      calls = 0
      drive.run()
      #expect(calls == 20)
    }
  }
}
