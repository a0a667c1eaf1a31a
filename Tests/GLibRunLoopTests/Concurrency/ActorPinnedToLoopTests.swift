import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct ActorPinnedToLoopTests {
  @Test("C3 an actor that is pinned to a loop lives on its thread", arguments: Driver.allCases)
  func pinned(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let counter = PinnedCounter(loop: drive.loop)
      let thread = pthread_self()
      let log = Log(of: Int.self)
      // Off the loop's thread, so that each call is a hop to it and back.
      Task.detached {
        for _ in 0..<100 { log.append(await counter.next(on: thread)) }
        await counter.sleep(on: thread)
        drive.loop.perform { drive.quit() }
      }
      drive.run()
      #expect(log.entries == Array(1...100))
    }
  }

  @Test("C3 jobs of a pinned actor are held in a private mode")
  func commonModes() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let counter = PinnedCounter(loop: loop)
      let log = Log(of: String.self)
      let thread = pthread_self()
      let called = Gate<Void>()
      Task.detached {
        called.open()
        _ = await counter.next(on: thread)
        log.append("actor")
        loop.perform { loop.stop() }
      }
      called.wait()
      let timer = GRunLoop.Timer(interval: .milliseconds(50)) { _ in log.append("timer") }
      loop.add(timer, forMode: "private")
      #expect(loop.run(mode: "private", for: .seconds(60)) == .finished)
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(60)) == .stopped)
      anchor.invalidate()
      #expect(log.entries == ["timer", "actor"])
    }
  }

  @Test("C3, L5 an actor's job whose turn has not come when the loop ends runs then, and nobody hangs")
  func queuedAtEnd() async throws {
    let task = try await onLoopThread {
      let thread = pthread_self()
      let loop = GRunLoop.current
      let counter = PinnedCounter(loop: loop)
      let task = Task.detached { await counter.next(on: thread) }
      while !loop.debugDescription.contains("performs queued") { sched_yield() }
      return task
    }
    #expect(await task.value == 1)
  }
}

/// An actor that is pinned to a loop.
actor PinnedCounter {
  private let loop: GRunLoop
  private var count = 0

  init(loop: GRunLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  var value: Int { count }

  func next(on thread: pthread_t) -> Int {
    #expect(pthread_self() == thread)
    #expect(loop.isCurrent)
    count += 1
    return count
  }

  func sleep(on thread: pthread_t) async {
    try? await Task.sleep(for: .milliseconds(5))
    #expect(pthread_self() == thread)
  }
}
