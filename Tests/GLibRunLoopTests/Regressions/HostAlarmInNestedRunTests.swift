import GLibRunLoop
import Testing

@Suite struct HostAlarmInNestedRunTests {
  @Test("R8, O4 a nested run's sleep is not ended by the alarm that the host had set for a timer that moved since")
  func sleepsOnce() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let loop = drive.loop
      let log = Log(of: String.self)
      let timer = GRunLoop.Timer(interval: .milliseconds(300)) { _ in
        log.append("timer")
        loop.stop()
      }
      let source = GRunLoop.Source { _ in
        log.append("nested")
        loop.run(mode: .default, for: .seconds(2))
        drive.quit()
      }
      // In the host's pass the alarm is set; the second call is the nested run's.
      let observer = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in
        log.append("beforeWaiting")
        if log.count == 1 {
          source.signal()
        } else if log.count == 3 {
          timer.fireDate = timer.fireDate + .milliseconds(150)
        }
      }
      for item in [timer, source, observer] { loop.add(item, forMode: .default) }
      drive.run()
      // Unless the machine was so busy that the timer came before it was moved.
      if log.entries.starts(with: ["beforeWaiting", "nested", "beforeWaiting"]) {
        #expect(log.entries.prefix(4) == ["beforeWaiting", "nested", "beforeWaiting", "timer"])
      }
    }
  }
}
