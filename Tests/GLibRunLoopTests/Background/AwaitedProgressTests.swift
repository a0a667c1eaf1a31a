import GLibRunLoop
import Testing

@Suite(.patient) struct AwaitedProgressTests {
  @Test("A3 its progress comes on the loop, in order, and never after it has returned", arguments: Driver.allCases)
  func progress(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      for _ in 0..<50 {
        let updates = Log(of: Int.self)
        try await loop.background { report in
          for number in 1...1000 { report(number) }
        } sendableProgress: { (update: Int) in
          #expect(loop.isCurrent)
          updates.append(update)
        }
        let seen = updates.entries
        try await loop.settle()
        #expect(updates.entries == seen)
        #expect(seen == seen.sorted())
      }
    }
  }

  @Test("A3 a progress call that has begun is waited for", arguments: Driver.allCases)
  func settled(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: String.self)
      let (begun, release) = (Gate<Void>(), Gate<Void>())
      let releaser = Task.detached {
        while log.count == 0 { await Task.yield() }
        // Time enough for a caller that does not wait.
        try? await Task.sleep(for: .milliseconds(20))
        release.open()
      }
      try await loop.background { report in
        report(1)
        begun.wait()
        log.append("work ended")
      } sendableProgress: { (_: Int) in
        begun.open()
        release.wait()
        log.append("progress ended")
      }
      log.append("returned")
      await releaser.value
      #expect(log.entries == ["work ended", "progress ended", "returned"])
    }
  }
}
