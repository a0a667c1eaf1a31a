import GLibRunLoop
import Testing

/// While a descriptor was ready again and again GLib's driver asked its set alone; where that was silent after all, it looked
/// a second time, and timers that were due just then were taken out twice and held for ever, with their loop.
@Suite struct TimerBesideSilentDescriptorTests {
  private struct Weak { weak var timer: GRunLoop.Timer? }

  @Test("T11 a timer that is due as a busy descriptor falls silent is let go of", arguments: Driver.allCases)
  func letGo(_ driver: Driver) async throws {
    // With a clock that stands still, or a slow machine would ask all sets each time.
    try await inManualTime { _ in
      let drive = Drive(driver)
      let pipe = TestPipe()
      var timers: [Weak] = []
      var fired = 0
      var calls = 0
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
        calls += 1
        // Ready for four turns running, then silent in the one in which the timer is due.
        guard calls % 4 == 0 else { return }
        pipe.drain()
        let timer = GRunLoop.Timer(fireDate: .distantPast) { _ in
          fired += 1
          if fired == 500 { return drive.quit() }
          pipe.write()
        }
        timers.append(Weak(timer: timer))
        drive.loop.add(timer, forMode: .default)
      }
      drive.loop.add(source, forMode: .default)
      pipe.write()
      drive.run()
      source.invalidate()
      #expect(fired == 500)
      #expect(timers.count { $0.timer != nil } == 0)
    }
  }
}
