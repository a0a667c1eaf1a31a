import CGLib
import GLibRunLoop
import Testing

@Suite struct ForeignSourceNestedRunTests {
  @Test("M8 it is held in a nested run of another mode, and fires after it", arguments: Driver.allCases)
  func heldInNestedRun(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let source = Foreign.timeout(milliseconds: 1) {
        log.append("source in \(loop.currentMode.map { "\($0)" } ?? "none")")
        drive.quit()
        return false
      }
      loop.perform {
        loop.add(source, forMode: .default)
        g_source_unref(source)
        for mode: GRunLoop.Mode in [.modalPanel, "private"] {
          let end = GRunLoop.Timer(interval: .milliseconds(20)) { _ in log.append("end of \(mode)") }
          loop.add(end, forMode: mode)
          #expect(loop.run(mode: mode, for: .seconds(60)) == .finished)
        }
      }
      drive.run()
      #expect(log.entries == ["end of modalPanel", "end of private", "source in default"])
    }
  }

  @Test("M8 one may run a loop in its call-back: it is not called again meanwhile", arguments: Driver.allCases)
  func nestedFromItsCallback(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let source = Foreign.timeout(milliseconds: 0) {
        log.append("source")
        let end = GRunLoop.Timer(interval: .milliseconds(10)) { _ in
          log.append("end")
          loop.stop()
        }
        loop.add(end, forMode: .default)
        #expect(loop.run(mode: .default, for: .seconds(60)) == .stopped)
        drive.quit()
        return false
      }
      loop.add(source, forMode: .default)
      g_source_unref(source)
      drive.run()
      #expect(log.entries == ["source", "end"])
    }
  }
}
