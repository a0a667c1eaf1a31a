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

  /// A thread stands in for the kernel's alarms. That this is said once in a process, RefusingKernelTests see.
  @Test(
    "H2, T8, T9 where there is no timerfd, timers of every clock come, none early", arguments: Driver.allCases,
    [ENOSYS, EPERM])
  func notToBeHad(_ driver: Driver, _ error: CInt) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      _ = CapturedWarnings.during {
        Faults.during(FAULT_TIMERFD_CREATE, error) {
          let timers = GRunLoop.Timebase.allCases.map { timebase in
            GRunLoop.Timer(
              fireDate: .now(on: timebase) + .microseconds(2300), interval: .microseconds(2300), repeats: true
            ) { timer in
              #expect(.now(on: timebase) >= timer.fireDate)
              calls += 1
              if calls >= 60 { drive.quit() }
            }
          }
          for timer in timers { #expect(drive.loop.add(timer, forMode: .default)) }
          drive.run()
          #expect(calls >= 60)
          // Moved while the loop sleeps, nearer and farther.
          let far = GRunLoop.Timer(fireDate: .now(on: .wall) + .seconds(3600)) { _ in drive.quit() }
          for timer in timers { timer.invalidate() }
          drive.loop.add(far, forMode: .default)
          let other = TestThread {
            waitUntilAsleep(drive.loop)
            far.fireDate = .now(on: .wall) + .milliseconds(2)
          }
          drive.run()
          other.join()
        }
      }
    }
  }

  @Test(
    "H2, R11 where there is no timerfd, a host is told of timers and of GLib's time-outs", arguments: [ENOSYS, EPERM])
  func host(_ error: CInt) async throws {
    try await onLoopThread {
      var calls: [String] = []
      try Faults.during(FAULT_TIMERFD_CREATE, error) {
        _ = try CapturedWarnings.during {
          let host = try PollingHost()
          let timer = GRunLoop.Timer(interval: .milliseconds(3), repeats: true) { timer in
            #expect(.now >= timer.fireDate)
            calls.append("timer")
          }
          host.loop.add(timer, forMode: .default)
          host.run { calls.count == 5 }
          timer.invalidate()
          Foreign.timeout(milliseconds: 3) {
            calls.append("foreign")
            return false
          }.attach(to: host.loop.context)
          host.loop.iterate()
          host.run { calls.last == "foreign" }
        }
      }
    }
  }
}
