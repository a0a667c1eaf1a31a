import GLibRunLoop
import Testing

// The code of the page "Test with the manual clock", compiled and run.

@Suite struct ManualClockExamples {
  @Test("T1, T5 what happens in an hour")
  func hour() async throws {
    try await onLoopThread {
      GRunLoop.withManualClock { clock in
        let reminder = Reminder(every: .seconds(600))
        clock.advance(by: .seconds(3599))
        #expect(reminder.count == 5)
        clock.advance(by: .seconds(1))
        #expect(reminder.count == 6)
      }
    }
  }

  @Test("T5, T9, M7 through GLib's iterations; a call that takes long; the time of day")
  func others() async throws {
    try await onLoopThread {
      GRunLoop.withManualClock { clock in
        let reminder = Reminder(every: .seconds(600))
        clock.advance(by: .seconds(3600), through: .iteration)
        #expect(reminder.count == 6)
        reminder.onRing = { clock.spend(.seconds(1500)) }
        clock.advance(by: .seconds(3600))
        #expect(reminder.count == 8)

        let nextMorning = clock.now(on: .wall) + .seconds(8 * 3600)
        var isAwake = false
        let alarm = GRunLoop.Timer(fireDate: nextMorning) { _ in isAwake = true }
        clock.loop.add(alarm, forMode: .default)
        clock.setWallTime(nextMorning)
        clock.advance(by: .zero)
        #expect(isAwake)
      }
    }
  }

  @Test("R8 a test that would hang says so")
  func stall() async throws {
    try await onLoopThread {
      var report = ""
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      func failed(_ message: String) { report = message }
      let stop: (String) -> Void = { message in
        failed(message)
        loop.stop()
      }
      GRunLoop.withManualClock(onStall: stop) { _ in
        loop.run()
      }
      #expect(report.contains("nothing will ever happen"))
    }
  }

  @Test("C6 tasks", .patient, arguments: Driver.allCases)
  func tasks(_ driver: Driver) async throws {
    try await withManualLoop(driver) { loop, clock in
      let fetch = Task { try await withTimeout(.seconds(30), clock: clock) { try await answer() } }
      while loop.nextFireDate(in: .common) == nil { await Task.yield() }
      try await loop.performAndWait { clock.advance(by: .seconds(30)) }
      await #expect(throws: GRunLoop.TimeoutError.self) { try await fetch.value }
    }
  }

  private func answer() async throws { try await Task.sleep(for: .seconds(3600)) }

  private final class Reminder {
    private(set) var count = 0
    var onRing: () -> Void = {}

    init(every interval: Duration) {
      let timer = GRunLoop.Timer(interval: interval, repeats: true) { [unowned self] _ in
        count += 1
        onRing()
      }
      GRunLoop.current.add(timer, forMode: .common)
      self.timer = timer
    }

    private var timer: GRunLoop.Timer?
    deinit { timer?.invalidate() }
  }
}
