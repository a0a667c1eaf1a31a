import GLibRunLoop
import Testing

@Suite struct DueTimersAfterNestedRunTests {
  @Test(
    "T4, R2, T10 a pass comes to all timers that were due, also after a nested run in another mode",
    arguments: [false, true])
  func allInOnePass(nestedModeIsEmpty: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: Int.self)
      let date = GRunLoop.Instant.now
      let nested = GRunLoop.Mode("nested")
      if !nestedModeIsEmpty { loop.add(GRunLoop.Source { _ in }, forMode: nested) }
      for index in 0..<4 {
        let timer = GRunLoop.Timer(fireDate: date) { _ in
          log.append(index)
          if index % 2 == 0 { loop.run(mode: nested, for: .zero) }
        }
        loop.add(timer, forMode: .default)
      }
      loop.run(mode: .default, for: .zero)
      #expect(log.entries == [0, 1, 2, 3])
    }
  }

  @Test("T4, T10 those that a nested run fired are not fired again")
  func onceEach() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let date = GRunLoop.Instant.now
      let first = GRunLoop.Timer(fireDate: date) { _ in
        loop.run(mode: .default, for: .zero)
        log.append("first")
      }
      let second = GRunLoop.Timer(fireDate: date) { _ in log.append("second") }
      let third = GRunLoop.Timer(fireDate: date, interval: .seconds(300), repeats: true) { _ in log.append("third") }
      for timer in [first, second, third] { loop.add(timer, forMode: .default) }
      loop.run(mode: .default, for: .zero)
      #expect(log.entries == ["second", "third", "first"])
    }
  }
}
