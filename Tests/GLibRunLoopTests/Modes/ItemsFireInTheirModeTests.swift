import CGLib
import GLibRunLoop
import Testing

@Suite struct ItemsFireInTheirModeTests {
  @Test("M2 items of other modes are held, and fire when a run comes to their mode", arguments: Driver.allCases)
  func heldNotLost(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: String.self)
      let pipe = BytePipe()
      let modes: [GRunLoop.Mode] = [.default, .modalPanel, .connectionReply, "player"]
      for mode in modes {
        let source = GRunLoop.Source { _ in fired.append("source \(mode)") }
        loop.add(source, forMode: mode)
        source.signal()
        // Due at once, wherever it may fire.
        loop.add(GRunLoop.Timer(fireDate: .now) { _ in fired.append("timer \(mode)") }, forMode: mode)
        let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { input, _ in
          fired.append("descriptor \(mode)")
          input.invalidate()
        }
        loop.add(input, forMode: mode)
        loop.perform(inModes: [mode]) { fired.append("perform \(mode)") }
        let observer = GRunLoop.Observer(activities: .beforeSources, repeats: false) { _, _ in
          fired.append("observer \(mode)")
        }
        loop.add(observer, forMode: mode)
      }
      pipe.put()
      var expected: Set<String> = []
      for mode in modes.reversed() {
        driver.poll(loop, mode: mode)
        expected.formUnion(["source", "timer", "descriptor", "perform", "observer"].map { "\($0) \(mode)" })
        #expect(Set(fired.entries) == expected)
        #expect(fired.count == expected.count)
      }
    }
  }

  @Test("M2 a run in another mode neither takes a held event nor is woken by it", arguments: Driver.allCases)
  func heldWhileRunning(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let fired = Log(of: String.self)
      let source = GRunLoop.Source(sendableHandler: { _ in fired.append("source") })
      loop.add(source, forMode: "player")
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in fired.append("timer") }
      loop.add(timer, forMode: "player")
      let waits = GRunLoop.Observer(activities: .afterWaiting) { _, _ in fired.append("woke") }
      loop.add(waits, forMode: .default)
      let signaller = GRunLoop.Timer(interval: .milliseconds(30)) { _ in
        // Its date has come by now, too. None but this timer's wake-up, if the machine let the loop sleep at all.
        #expect(fired.entries.filter { $0 != "woke" }.isEmpty && fired.count <= 1)
        TestThread { source.signal() }.join()
        loop.perform(inModes: ["player"]) { fired.append("perform") }
        drive.quit()
      }
      loop.add(signaller, forMode: .default)
      drive.run()
      waits.invalidate()
      driver.poll(loop, mode: "player")
      #expect(fired.entries.filter { $0 != "woke" }.sorted() == ["perform", "source", "timer"])
      #expect(fired.count <= 4)
    }
  }

  @Test("M2 in a nested run the outer mode's items are held, and fire afterwards", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let fired = Log(of: String.self)
      let outer = GRunLoop.Source { _ in
        fired.append("outer source")
        drive.quit()
      }
      loop.add(outer, forMode: .default)
      loop.perform {
        outer.signal()
        let inner = GRunLoop.Timer(interval: .milliseconds(5)) { _ in fired.append("inner timer") }
        loop.add(inner, forMode: "player")
        // The one-shot is all there is, so that the run ends with it.
        #expect(loop.run(mode: "player", for: .seconds(30)) == .finished)
      }
      drive.run()
      #expect(fired.entries == ["inner timer", "outer source"])
    }
  }
}
