import GLibRunLoop
import Testing

@Suite struct HostAlarmInNestedRunTests {
  @Test("R8, O4 a nested run's sleep is not ended by the alarm that the host had set for a timer that moved since")
  func sleepsOnce() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let loop = drive.loop
      inTime(from: .milliseconds(300)) { time in
        let log = Log(of: String.self)
        let timer = GRunLoop.Timer(interval: time) { _ in
          log.append("timer")
          loop.stop()
          // Also if it came before the nested run.
          drive.quit()
        }
        let source = GRunLoop.Source { _ in
          log.append("nested")
          loop.run(mode: .default, for: .seconds(60))
        }
        // In the host's pass the alarm is set; the second call is the nested run's.
        let observer = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in
          log.append("beforeWaiting")
          if log.count == 1 {
            source.signal()
          } else if log.count == 3 {
            timer.fireDate = timer.fireDate + time / 2
          }
        }
        let items: [GRunLoop.Item] = [timer, source, observer]
        for item in items { loop.add(item, forMode: .default) }
        drive.run()
        for item in items { item.invalidate() }
        // Else the machine was so busy that the timer came before it was moved.
        guard log.entries.starts(with: ["beforeWaiting", "nested", "beforeWaiting"]) else { return false }
        #expect(log.entries.prefix(4) == ["beforeWaiting", "nested", "beforeWaiting", "timer"])
        return true
      }
    }
  }
}
