import CGLib
import GLibRunLoop
import Testing

@Suite struct CurrentModeTests {
  @Test("M7 when GLib drives the mode is default, and the program may set another one")
  func hostMode() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let loop = drive.loop
      let seen = Log(of: GRunLoop.Mode?.self)
      #expect(loop.hostMode == .default)
      #expect(loop.currentMode == nil)
      loop.perform { seen.append(loop.currentMode) }
      loop.perform(inModes: [.eventTracking]) {
        seen.append(loop.currentMode)
        loop.hostMode = "player"
      }
      loop.perform(inModes: ["player"]) {
        seen.append(loop.currentMode)
        drive.quit()
      }
      loop.add(GRunLoop.Source { _ in }, forMode: "player")
      Foreign.idle {
        seen.append(loop.currentMode)
        loop.hostMode = .eventTracking
        return false
      }.attach(to: loop.context)
      drive.run()
      #expect(seen.entries == [.default, .default, .eventTracking, "player"])
      #expect(loop.currentMode == nil && loop.hostMode == "player")
    }
  }

  @Test("M7 setting the mode wakes a loop that GLib drives: what waited there fires")
  func hostModeWakes() throws {
    let worker = DrivenWorker(.glib)
    let fired = Gate<GRunLoop.Mode?>()
    let loop = worker.loop
    loop.perform(inModes: ["player"]) { fired.open(loop.currentMode) }
    loop.hostMode = "player"
    #expect(fired.wait() == "player")
    loop.hostMode = .default
    worker.finish()
  }

  @Test("M7 a nested run has its own mode, and the outer one comes back after", arguments: Driver.allCases)
  func nestedRuns(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let seen = Log(of: GRunLoop.Mode?.self)
      loop.perform {
        seen.append(loop.currentMode)
        loop.perform(inModes: ["a"]) {
          seen.append(loop.currentMode)
          loop.perform(inModes: [.modalPanel]) { seen.append(loop.currentMode) }
          loop.run(mode: .modalPanel, for: .zero)
          seen.append(loop.currentMode)
        }
        loop.run(mode: "a", for: .zero)
        seen.append(loop.currentMode)
        drive.quit()
      }
      drive.run()
      #expect(seen.entries == [.default, "a", .modalPanel, "a", .default])
    }
  }

  @Test(
    "M7, M2 inside a main loop of GLib's that a run is above, the run's mode holds",
    arguments: ["player", .modalPanel] as [GRunLoop.Mode], Driver.allCases)
  func mainLoopInsideRun(_ mode: GRunLoop.Mode, _ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let seen = Log(of: String.self)
      loop.add(GRunLoop.Source { _ in }, forMode: mode)
      loop.perform {
        loop.perform(inModes: [mode]) {
          Self.runMainLoop(on: loop.context, loop, mode, seen)
          Self.runMainLoop(on: g_main_context_get_thread_default(), loop, mode, seen)
          loop.stop()
        }
        #expect(loop.run(mode: mode, for: .seconds(60)) == .stopped)
        // The due timer of the default mode was held all the while.
        #expect(seen.entries == ["\(mode)", "\(mode)"])
        drive.quit()
      }
      drive.run()
    }
  }

  private static func runMainLoop(
    on context: OpaquePointer?, _ loop: GRunLoop, _ mode: GRunLoop.Mode, _ seen: Log<String>
  ) {
    let mainLoop = g_main_loop_new(context, 0)!
    loop.add(GRunLoop.Timer(fireDate: .now) { _ in seen.append("default") }, forMode: .default)
    let end = GRunLoop.Timer(interval: .milliseconds(5)) { _ in
      seen.append(loop.currentMode.map { "\($0)" } ?? "none")
      g_main_loop_quit(mainLoop)
    }
    loop.add(end, forMode: mode)
    g_main_loop_run(mainLoop)
    g_main_loop_unref(mainLoop)
  }
}
