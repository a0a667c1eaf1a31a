import GLibRunLoop
import Testing

/// The time-out of a wait stayed in the context that all loops of the thread share, and fired in the next one.
/// https://github.com/abrt/libreport/issues/134
@Suite struct ForgottenSourceFiresInNextRunRegression {
  @Test("M2, M8 what a wait leaves behind in its own mode fires in no other (libreport)", arguments: Driver.allCases)
  func held(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.perform {
        // The wait: its answer comes before its time-outs.
        loop.add(GRunLoop.Timer(interval: .milliseconds(20)) { _ in log.append("timer") }, forMode: "reply")
        loop.add(
          Foreign.timeout(milliseconds: 20) {
            log.append("foreign")
            return false
          }, forMode: "reply")
        loop.perform(inModes: ["reply"], after: .milliseconds(20)) { log.append("perform") }
        loop.perform(inModes: ["reply"]) { loop.stop() }
        #expect(loop.run(mode: "reply", for: .seconds(30)) == .stopped)
        // Much later, in the next one.
        loop.perform(after: .milliseconds(100)) { drive.quit() }
      }
      drive.run()
      #expect(log.entries == [])
      // They were held, not lost.
      _ = loop.run(mode: "reply", for: .milliseconds(50))
      #expect(Set(log.entries) == ["timer", "foreign", "perform"])
    }
  }
}
