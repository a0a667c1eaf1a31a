import CGLib
import GLibRunLoop
import Testing

@Suite struct TimerNestedRunTests {
  /// How a handler runs the loop anew.
  enum Nested: CaseIterable, Sendable {
    case run, runInModalMode, mainLoop, iterations
  }

  @Test(
    "T10 a handler may run a nested loop: it is not re-entered, the other timers go on",
    arguments: Driver.allCases, Nested.allCases)
  func nested(_ driver: Driver, _ nested: Nested) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let inner = g_main_loop_new(loop.context, 0)
      defer { g_main_loop_unref(inner) }
      var depth = 0
      var calls = 0
      var others = 0
      var othersInside = 0
      var isDone = false
      let other = GRunLoop.Timer(interval: .microseconds(700), repeats: true) { _ in
        others += 1
        guard depth > 0 else { return }
        othersInside += 1
        // Long enough for the outer timer to be due again, several times.
        guard othersInside % 10 == 0 else { return }
        isDone = true
        switch nested {
        case .run, .runInModalMode: loop.stop()
        case .mainLoop: g_main_loop_quit(inner)
        case .iterations: break
        }
      }
      let step = Duration.milliseconds(1)
      let outer = GRunLoop.Timer(interval: step, repeats: true) { timer in
        #expect(depth == 0)
        depth += 1
        calls += 1
        isDone = false
        switch nested {
        case .run: #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
        case .runInModalMode: #expect(loop.run(mode: .modalPanel, for: .seconds(30)) == .stopped)
        case .mainLoop: g_main_loop_run(inner)
        case .iterations: while !isDone { g_main_context_iteration(loop.context, 1) }
        }
        depth -= 1
        if calls == 3 { drive.quit() }
      }
      let first = outer.fireDate
      loop.add(other, forMode: .common)
      loop.add(outer, forMode: .common)
      drive.run()
      #expect(calls == 3)
      #expect(othersInside == 30)
      #expect(isWhole(first.duration(to: outer.fireDate), of: step))
    }
  }

  @Test("T10 invalidated inside its nested loop, a timer is called no more", arguments: Driver.allCases)
  func invalidatedInside(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let lives = LifeCount()
      var calls = 0
      do {
        let token = lives.token()
        let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { timer in
          token.touch()
          calls += 1
          drive.loop.perform { timer.invalidate() }
          drive.loop.run(mode: .default, for: .milliseconds(5))
          #expect(!timer.isValid)
          // The closure that is running is still there.
          #expect(lives.value == 1)
          drive.quit()
        }
        drive.loop.add(timer, forMode: .default)
      }
      drive.run()
      drive.run(for: .milliseconds(5))
      #expect(calls == 1)
      #expect(lives.value == 0)
    }
  }
}
