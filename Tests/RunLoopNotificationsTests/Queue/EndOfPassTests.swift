import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct EndOfPassTests {
  @Test("N2, N6 asap comes after all that the pass has to do, and before the next pass", arguments: Driver.allCases)
  func afterTheRest(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      let log = posts.log
      posts.watch("asap")
      let start = GRunLoop.Instant.now
      for number in 1...3 {
        let timer = GRunLoop.Timer(fireDate: start) { _ in
          posts.enqueue("asap", .asap, coalesce: .onName)
          log.append("timer \(number)")
          if number == 3 {
            // Performed in the same pass, since its performs have their turn after the timers.
            drive.loop.perform { [log] in log.append("perform") }
            let next = GRunLoop.Source { _ in
              log.append("next pass")
              drive.quit()
            }
            drive.loop.add(next, forMode: .default)
            next.signal()
          }
        }
        drive.loop.add(timer, forMode: .default)
      }
      drive.run()
      #expect(log.entries == ["timer 1", "timer 2", "timer 3", "perform", "asap", "next pass"])
    }
  }

  @Test("N2 asap comes at the end of a run, too", arguments: [true, false])
  func endOfRun(_ isStopped: Bool) async throws {
    try await onLoopThread {
      let posts = Posts()
      let loop = GRunLoop.current
      posts.watch("asap", "idle")
      let timer = GRunLoop.Timer(fireDate: .now) { _ in
        posts.enqueue("idle", .whenIdle)
        posts.enqueue("asap", .asap)
        if isStopped { loop.stop() }
      }
      loop.add(timer, forMode: .default)
      #expect(loop.run(mode: .default, for: isStopped ? .seconds(60) : .zero) == (isStopped ? .stopped : .timedOut))
      #expect(posts.log.entries == ["asap"])
    }
  }

  @Test("N2, N6 what was queued before the loop runs is posted in its first pass", arguments: Driver.allCases)
  func beforeTheRun(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("asap")
      posts.enqueue("asap", .asap)
      drive.poll()
      #expect(posts.log.entries == ["asap"])
    }
  }

  @Test("N2, R3, M5 a post keeps its mode running until it was made, and ends no run", arguments: [true, false])
  func liveness(_ isIdle: Bool) async throws {
    try await onLoopThread {
      let posts = Posts()
      posts.watch("post")
      posts.enqueue("post", isIdle ? .whenIdle : .asap, modes: ["private"])
      var result: GRunLoop.RunResult?
      stopIfHung {
        result = GRunLoop.current.run(mode: "private", for: .seconds(60), returnAfterSourceHandled: true)
      }
      #expect(result == .finished)
      #expect(posts.log.entries == ["post"])
    }
  }
}
