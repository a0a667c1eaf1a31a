import GLibRunLoop
import Testing

@Suite struct TimerFireRefusedTests {
  @Test("T6 fire() on a thread that the handler is not made for is refused with a line that says so")
  func otherThread() async throws {
    try await onLoopThread {
      let called = Log(of: String.self)
      let timer = GRunLoop.Timer(interval: .seconds(100)) { _ in called.append("handler") }
      GRunLoop.current.add(timer, forMode: .default)
      TestThread {
        let said = CapturedWarnings.during { timer.fire() }
        #expect(said.count == 1)
        #expect(said.first?.contains("on a thread that its handler is not made for") ?? false)
      }.join()
      #expect(called.entries.isEmpty)
      #expect(timer.isValid)
      timer.fire()
      #expect(called.entries == ["handler"])
    }
  }
}
