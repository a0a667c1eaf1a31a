import GLibRunLoop
import Glibc
import Testing

@Suite struct SourceInvalidationRaceTests {
  private struct Calls {
    var count = 0
    var lastRound = -1

    mutating func add(_ round: Int) {
      count += 1
      lastRound = round
    }
  }

  @Test("S8 invalidated by another thread while it fires: no call comes after, no leak", arguments: Driver.allCases)
  func race(_ driver: Driver) async throws {
    let lives = LifeCount()
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let calls = Locked(Calls())
      let pipe = TestPipe()
      pipe.write()
      let thread = TestThread {
        for round in 0..<200 {
          let token = lives.token()
          let source = GRunLoop.Source(sendableHandler: { source in
            token.touch()
            calls.withLock { $0.add(round) }
            source.signal()
          })
          let descriptor = GRunLoop.DescriptorSource(
            fileDescriptor: pipe.reader, events: .readable,
            sendableHandler: { _, _ in
              token.touch()
              calls.withLock { $0.add(round) }
            })
          for item in [source, descriptor] { loop.add(item, forMode: .default) }
          source.signal()
          if round % 2 == 0 { while calls.withLock({ $0.lastRound }) != round { sched_yield() } }
          for item in [source, descriptor] { item.invalidate() }
          // Whatever call was about to be made is over when the loop comes to this.
          let count = try? loop.performAndWait(timeout: .seconds(30)) { calls.withLock { $0.count } }
          _ = try? loop.performAndWait(timeout: .seconds(30)) {}
          let later = calls.withLock { $0.count }
          #expect(later == count)
        }
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
    }
    #expect(lives.value == 0)
  }

  @Test("S8 a source that was never added frees its closure when it is let go or invalidated")
  func neverAdded() {
    let lives = LifeCount()
    do {
      let token = lives.token()
      _ = GRunLoop.Source { _ in token.touch() }
    }
    #expect(lives.value == 0)
    var holder: [GRunLoop.Item] = []
    do {
      let token = lives.token()
      holder = [GRunLoop.Source { _ in token.touch() }]
    }
    #expect(lives.value == 1)
    for item in holder { item.invalidate() }
    #expect(lives.value == 0)
    let source = GRunLoop.Source { _ in }
    source.invalidate()
    source.signal()
    #expect(!source.isSignalled)
  }
}
