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
      inTime { time in
        let log = Log(of: String.self)
        let isLate = Locked(false)
        loop.perform {
          // The wait: its answer comes before its time-outs.
          loop.add(GRunLoop.Timer(interval: time) { _ in log.append("timer") }, forMode: "reply")
          loop.add(
            Foreign.timeout(milliseconds: UInt32(time / .milliseconds(1))) {
              log.append("foreign")
              return false
            }, forMode: "reply")
          loop.perform(inModes: ["reply"], after: time) { log.append("perform") }
          loop.perform(inModes: ["reply"]) { loop.stop() }
          #expect(loop.run(mode: "reply", for: .seconds(30)) == .stopped)
          isLate.withLock { $0 = log.count > 0 }
          // Much later, in the next one.
          loop.perform(after: time * 5) { drive.quit() }
        }
        drive.run(limit: .seconds(200))
        if isLate.withLock({ $0 }) { return false }
        #expect(log.entries == [])
        // They were held, not lost.
        let end = GRunLoop.Instant.now + .seconds(30)
        while log.count < 3, .now < end { _ = loop.run(mode: "reply", for: .milliseconds(50)) }
        #expect(Set(log.entries) == ["timer", "foreign", "perform"])
        return true
      }
    }
  }
}
