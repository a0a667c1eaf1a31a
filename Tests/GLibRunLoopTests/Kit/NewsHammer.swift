import GLibRunLoop
import Glibc
import Synchronization
import Testing

/// Two threads that play ping-pong with a loop: each makes news, waits until they were heard, and makes the next when the
/// loop is on its way to sleep. If any are lost, nobody goes on.
struct NewsHammer: Sendable {
  /// How the threads make news.
  enum Form: CaseIterable, Sendable { case signal, twoSteps, perform, fireDate, descriptor }

  let form: Form
  let rounds: Int
  /// Lets some time go by, another one each time; with the round, the thread's index and its player.
  let pause: @Sendable (Int, Int, Player) -> Void

  /// One thread's side of the game.
  final class Player: Sendable {
    fileprivate let asked = Atomic<Int>(0)
    let answers = Atomic<Int>(0)
    fileprivate let hasEnded = Atomic<Bool>(false)
    fileprivate let pipe = BytePipe()
    fileprivate func answer() { answers.add(1, ordering: .sequentiallyConsistent) }
  }

  /// Plays with this thread's loop.
  func play(_ drive: Drive) {
    let loop = drive.loop
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
      for item in [source, timer] { loop.add(item, forMode: .default) }
      if form == .descriptor {
        loop.add(
          GRunLoop.DescriptorSource(fileDescriptor: player.pipe.readEnd, events: .readable) { _, _ in
            player.pipe.take()
            player.answer()
          }, forMode: .default)
      }
      return TestThread {
        for number in Rounds(rounds) {
          let round = number + 1
          player.asked.store(round, ordering: .sequentiallyConsistent)
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
          pause(round, index, player)
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
