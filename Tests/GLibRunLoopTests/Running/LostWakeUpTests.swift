import GLibRunLoop
import Glibc
import Synchronization
import Testing

// One at a time: each of them wants to keep all processors busy.
@Suite(.serialized) struct LostWakeUpTests {
  /// How the hammering threads make news.
  enum Form: CaseIterable, Sendable { case signal, twoSteps, perform, fireDate }

  /// One hammering thread's side of a game of ping-pong with the loop.
  private final class Player: Sendable {
    let asked = Atomic<Int>(0)
    let answers = Atomic<Int>(0)
    let hasEnded = Atomic<Bool>(false)
    func answer() { answers.add(1, ordering: .sequentiallyConsistent) }
  }

  @Test(
    "R7 news for a loop that is about to sleep are never lost", arguments: pairs(Driver.allCases, Form.allCases),
    [true, false])
  func hammer(_ combination: (Driver, Form), observed: Bool) async throws {
    let (driver, form) = combination
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      if observed { loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in }, forMode: .default) }
      let players = (0..<2).map { _ in Player() }
      let finished = Log(of: Int.self)
      let threads = players.enumerated().map { index, player in
        let source = GRunLoop.Source(sendableHandler: { _ in player.answer() })
        let timer = GRunLoop.Timer(
          fireDate: .distantFuture, interval: .seconds(1000), repeats: true,
          sendableHandler: { timer in
            timer.fireDate = .distantFuture
            player.answer()
          })
        loop.add(source, forMode: .default)
        loop.add(timer, forMode: .default)
        return TestThread {
          for number in Rounds(10_000) {
            let round = number + 1
            player.asked.store(round, ordering: .sequentiallyConsistent)
            switch form {
            case .signal: source.signal()
            case .twoSteps:
              source.signal(wakingLoop: false)
              loop.wakeUp()
            case .perform: loop.perform { player.answer() }
            case .fireDate: timer.fireDate = .now
            }
            while player.answers.load(ordering: .sequentiallyConsistent) < round {
              if player.hasEnded.load(ordering: .sequentiallyConsistent) { return }
              sched_yield()
            }
            // The loop is on its way to sleep: meet it at another point each time.
            for _ in 0..<((round * (index + 3)) % 300) { _ = player.answers.load(ordering: .relaxed) }
          }
          finished.append(index)
          if finished.count == players.count { drive.quit() }
        }
      }
      drive.run(limit: .seconds(100))
      for player in players { player.hasEnded.store(true, ordering: .sequentiallyConsistent) }
      for thread in threads { thread.join() }
      for player in players {
        let asked = player.asked.load(ordering: .sequentiallyConsistent)
        #expect(asked > 0 && player.answers.load(ordering: .sequentiallyConsistent) == asked)
      }
    }
  }
}
