import CGLib
import GLibRunLoop
import Glibc
import Glibc
import Testing

@Suite struct LoopStateTests {
  @Test("R9 isWaiting is true while the loop sleeps, false while it works", arguments: Driver.allCases)
  func isWaiting(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      #expect(!loop.isWaiting)
      let thread = TestThread {
        while !loop.isWaiting { sched_yield() }
        loop.perform {
          #expect(!loop.isWaiting)
          TestThread { #expect(!loop.isWaiting) }.join()
          drive.quit()
        }
      }
      drive.run()
      thread.join()
      #expect(!loop.isWaiting)
    }
  }

  @Test("R9 currentMode is the mode of the run in progress, seen from every thread, and nil without one")
  func currentMode() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      #expect(loop.currentMode == nil)
      for mode: GRunLoop.Mode in [.default, .eventTracking, "own"] {
        let seen = Log(of: GRunLoop.Mode?.self)
        loop.perform(inModes: [mode]) {
          seen.append(loop.currentMode)
          TestThread { seen.append(loop.currentMode) }.join()
        }
        loop.run(mode: mode, for: .zero)
        #expect(seen.entries == [mode, mode])
        #expect(loop.currentMode == nil)
      }
    }
  }

  @Test("R9 currentMode in a call-back that GLib dispatches is the host mode; nil outside")
  func currentModeUnderGLib() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let loop = drive.loop
      let seen = Log(of: GRunLoop.Mode?.self)
      #expect(loop.currentMode == nil)
      loop.perform {
        seen.append(loop.currentMode)
        loop.hostMode = .modalPanel
        seen.append(loop.currentMode)
        drive.quit()
      }
      drive.run()
      #expect(seen.entries == [.default, .modalPanel])
      #expect(loop.currentMode == nil)
    }
  }

  @Test("R9 nextFireDate(in:) is that of the mode's soonest timer, the common set's included")
  func nextFireDate() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      func timer(_ seconds: Int, on timebase: GRunLoop.Timebase = .monotonic) -> GRunLoop.Timer {
        GRunLoop.Timer(
          fireDate: .now(on: timebase).advanced(by: .seconds(seconds)), tolerance: .seconds(50)
        ) { _ in }
      }
      #expect(loop.nextFireDate(in: .default) == nil)
      #expect(loop.nextFireDate(in: "unknown") == nil)
      let (late, soon, common, own) = (timer(300), timer(200), timer(250, on: .continuous), timer(100, on: .wall))
      loop.add(late, forMode: .default)
      loop.add(soon, forMode: .default)
      loop.add(common, forMode: .common)
      loop.add(own, forMode: "own")
      #expect(loop.nextFireDate(in: .default) == soon.fireDate)
      #expect(loop.nextFireDate(in: .modalPanel) == common.fireDate)
      #expect(loop.nextFireDate(in: .common) == common.fireDate)
      #expect(loop.nextFireDate(in: "own") == own.fireDate)
      soon.fireDate = .now.advanced(by: .seconds(400))
      #expect(loop.nextFireDate(in: .default) == common.fireDate)
      common.invalidate()
      #expect(loop.nextFireDate(in: .default) == late.fireDate)
      late.invalidate()
      soon.invalidate()
      #expect(loop.nextFireDate(in: .default) == nil)
      for item in [own] { item.invalidate() }
    }
  }

  @Test("R9 debugDescription lists the modes and what is in them")
  func description() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Timer(interval: .seconds(100), repeats: true) { _ in }, forMode: .default)
      loop.add(GRunLoop.Source { _ in }, forMode: "mine")
      loop.add(GRunLoop.Observer(activities: .exit) { _, _ in }, forMode: .common)
      let pipe = BytePipe()
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in }
      loop.add(descriptor, forMode: .modalPanel)
      let foreign = Foreign.idle { true }
      g_source_set_name(foreign, "somebody's")
      loop.add(foreign, forMode: "mine")
      g_source_unref(foreign)
      loop.add(GRunLoop.SignalSource(signal: SIGWINCH) { _ in }, forMode: "mine")
      loop.add(GRunLoop.ChildSource(pid: 1) { _, _ in }, forMode: "mine")
      let seen = Log(of: String.self)
      loop.perform { seen.append(loop.debugDescription) }
      loop.run(mode: .eventTracking, for: .zero)
      for text in [loop.debugDescription] + seen.entries {
        for word in [
          "default", "mine", "common", "modalPanel", "Timer", "Source", "Observer", "\(pipe.readEnd)",
          "GSource somebody's", "SignalSource of \(SIGWINCH)", "ChildSource of 1",
        ] {
          #expect(text.contains(word), "\(word) is missing in:\n\(text)")
        }
      }
      #expect(seen.entries.first?.contains("current mode: eventTracking") == true)
      descriptor.invalidate()
    }
  }
}
