import GLibRunLoop
import Glibc
import Testing

typealias Worker = GRunLoop.BackgroundTask.Worker

/// Where background steps can run.
enum WorkerKind: String, CaseIterable, Sendable {
  case dispatch, concurrency

  var worker: Worker { self == .dispatch ? .dispatch : .concurrency }
}

@Suite struct StepsInOrderTests {
  @Test(
    "A1 pre, background, post come in this order, on their threads",
    arguments: pairs(Driver.allCases, WorkerKind.allCases))
  func order(_ driver: Driver, _ kind: WorkerKind) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let thread = pthread_self()
      let log = Log(of: String.self)
      // What belongs to the loop's thread may be touched in the steps there.
      let window = Window()
      let task = GRunLoop.BackgroundTask(
        worker: kind.worker,
        pre: {
          window.titles.append("pre")
          log.append("pre")
        },
        background: {
          #expect(pthread_equal(pthread_self(), thread) == 0)
          log.append("background")
          return 6 * 7
        },
        post: { (result: Result<Int, any Error>) in
          #expect(pthread_equal(pthread_self(), thread) != 0)
          window.titles.append("\((try? result.get()) ?? 0)")
          log.append("post")
          drive.quit()
        })
      #expect(log.entries.isEmpty)
      task.start()
      log.append("started")
      #expect(window.titles == ["pre"])
      drive.run()
      #expect(log.entries.filter { $0 != "started" } == ["pre", "background", "post"])
      #expect(window.titles == ["pre", "42"])
      #expect(task.isOver && !task.isCancelled)
    }
  }

  @Test("A1 what the background step throws comes to post", arguments: pairs(Driver.allCases, WorkerKind.allCases))
  func error(_ driver: Driver, _ kind: WorkerKind) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var outcome: Result<Int, any Error>?
      GRunLoop.BackgroundTask(
        worker: kind.worker, background: { () async throws -> Int in throw Refusal.again },
        post: {
          outcome = $0
          drive.quit()
        }
      ).start()
      drive.run()
      #expect(throws: Refusal.again) { try outcome?.get() }
    }
  }

  @Test(
    "A1 the background step may await; it takes along and brings back what is not Sendable", arguments: Driver.allCases)
  func sent(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let parcel = Parcel(1)
      var back: Parcel?
      GRunLoop.BackgroundTask(
        background: {
          try await Task.sleep(for: .milliseconds(1))
          parcel.content += 1
          return Parcel(parcel.content + 1)
        },
        post: {
          back = try? $0.get()
          drive.quit()
        }
      ).start()
      drive.run()
      #expect(back?.content == 3)
    }
  }

  @Test("A1 a serial queue of the program's does one step after the other")
  func queue() async throws {
    try await onLoopThread {
      let running = Log(of: Int.self)
      let worker = Worker.queue(SerialQueue.make())
      var posted: [Int] = []
      for number in 0..<20 {
        GRunLoop.BackgroundTask(
          worker: worker, background: { running.append(number) }, post: { _ in posted.append(number) }
        ).start()
      }
      GRunLoop.current.run()
      #expect(running.entries == Array(0..<20))
      #expect(posted == Array(0..<20))
    }
  }

  private enum Refusal: Error { case again }

  private final class Window { var titles: [String] = [] }
  private final class Parcel {
    var content: Int
    init(_ content: Int) { self.content = content }
  }
}
