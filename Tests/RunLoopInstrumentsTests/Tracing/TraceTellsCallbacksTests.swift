import GLibRunLoop
import Glibc
import Testing

@Suite struct TraceTellsCallbacksTests {
  @Test("a trace has each call-back with its item's name, mode, lateness and duration", arguments: Driver.allCases)
  func callbacks(_ driver: Driver) async throws {
    try await onLoopThread {
      let (id, line) = ("\(driver) \(grl())", #line + 10)
      let events = try traced {
        let drive = Drive(driver)
        let loop = drive.loop
        let pipe = BytePipe()
        let timer = GRunLoop.Timer(fireDate: .now - .milliseconds(5)) { _ in usleep(2000) }
        let source = GRunLoop.Source { _ in pipe.put() }
        let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in drive.quit() }
        let observer = GRunLoop.Observer(activities: .beforeSources) { _, _ in }
        for (item, name) in [(timer, "timer"), (source, "source"), (input, "input"), (observer, "observer")] {
          item.name = "\(name) \(id)"
          loop.add(item, forMode: .default)
        }
        loop.perform(name: "perform \(id)") { source.signal() }
        drive.run()
        for item in [timer, source, input, observer] { item.invalidate() }
      }
      func event(_ name: String) throws -> TraceEvent { try #require(events.named("\(name) \(id)").first) }
      for name in ["timer", "source", "input", "observer", "perform"] {
        let event = try event(name)
        #expect(event.ph == "X" && event.cat == "callback")
        #expect(event.text("mode") == "default")
        let isPerform = name == "perform"
        #expect(
          event.text(isPerform ? "queued at" : "added at")
            == "RunLoopInstrumentsTests/TraceTellsCallbacksTests.swift:\(isPerform ? line + 3 : line + 1)")
      }
      #expect(try event("timer").number("lateness_us")! >= 5000)
      #expect(try event("timer").dur! >= 2000)
      #expect(try event("perform").number("lateness_us")! >= 0)
      #expect(try event("observer").text("activity") == "beforeSources")
      #expect(try event("source").number("lateness_us") == nil)
    }
  }

  /// Something that no other test's names have.
  private func grl() -> UInt64 { UInt64.random(in: 0 ... .max) }
}
