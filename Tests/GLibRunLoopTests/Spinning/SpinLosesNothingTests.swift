import GLibRunLoop
import Glibc
import Synchronization
import Testing

// One at a time: each of them wants to keep all processors busy.
@Suite(.serialized) struct SpinLosesNothingTests {
  enum Form: CaseIterable, Sendable { case signal, twoSteps, perform, fireDate, descriptor }

  private final class Player: Sendable {
    let answers = Atomic<Int>(0)
    let hasEnded = Atomic<Bool>(false)
    let pipe = BytePipe()
    func answer() { answers.add(1, ordering: .sequentiallyConsistent) }
  }

  private static let spin = Duration.microseconds(20)

  @Test(
    "R7 news are not lost, whether they come in the spin, after it, or at its end",
    arguments: Form.allCases, [true, false])
  func hammer(_ form: Form, observed: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let loop = drive.loop
      loop.spinDuration = Self.spin
      if observed { loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in }, forMode: .default) }
      let players = (0..<2).map { _ in Player() }
      let finished = Log(of: Int.self)
      let rounds = 5_000
      let threads = players.enumerated().map { index, player in
        let source = GRunLoop.Source(sendableHandler: { _ in player.answer() })
        let timer = GRunLoop.Timer(
          fireDate: .distantFuture, interval: .seconds(1000), repeats: true,
          sendableHandler: { timer in
            timer.fireDate = .distantFuture
            player.answer()
          })
        let descriptor = GRunLoop.DescriptorSource(fileDescriptor: player.pipe.readEnd, events: .readable) { _, _ in
          player.pipe.take()
          player.answer()
        }
        for item in [source, timer] { loop.add(item, forMode: .default) }
        if form == .descriptor { loop.add(descriptor, forMode: .default) }
        return TestThread {
          var random = SystemRandomNumberGenerator()
          for round in 1...rounds {
            switch form {
            case .signal: source.signal()
            case .twoSteps:
              source.signal(wakingLoop: false)
              loop.wakeUp()
            case .perform: loop.perform { player.answer() }
            case .fireDate: timer.fireDate = .now
            case .descriptor: player.pipe.put()
            }
            while player.answers.load(ordering: .sequentiallyConsistent) < round {
              if player.hasEnded.load(ordering: .sequentiallyConsistent) { return }
              sched_yield()
            }
            let pause = GRunLoop.Instant.now + .nanoseconds(Int64.random(in: 0...40_000, using: &random))
            while .now < pause {}
          }
          finished.append(index)
          if finished.count == players.count { drive.quit() }
        }
      }
      drive.run(limit: .seconds(100))
      for player in players { player.hasEnded.store(true, ordering: .sequentiallyConsistent) }
      for thread in threads { thread.join() }
      for player in players { #expect(player.answers.load(ordering: .sequentiallyConsistent) == rounds) }
    }
  }
}
