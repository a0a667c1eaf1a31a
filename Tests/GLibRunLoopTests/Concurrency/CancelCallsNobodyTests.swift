import GLibRunLoop
import Testing

/// A task is cancelled with a lock of the runtime's held: nothing of the user's is called or freed in there.
@Suite(.patient) struct CancelCallsNobodyTests {
  @Test("C13 the closure of a cancelled perform is not freed inside the cancelling call")
  func perform() async throws {
    try await withDrivenLoop(.swift) { loop in
      let witness = Witness()
      let task = Task {
        let token = witness.token()
        try await loop.performAndWait(inModes: ["never"]) { token.touch() }
      }
      while !loop.debugDescription.contains("mode never: 0 items, performs queued") { await Task.yield() }
      // On the loop's own thread, where the closure may be freed.
      try await loop.performAndWait { witness.during { task.cancel() } }
      await #expect(throws: CancellationError.self) { try await task.value }
      try await loop.settle()
      #expect(witness.freed == [false])
    }
  }

  @Test("C13 nor is an update that waits")
  func update() async throws {
    try await withDrivenLoop(.swift) { loop in
      let witness = Witness()
      let (reported, release) = (Gate<Void>(), Gate<Void>())
      let task = Task {
        try await loop.background(inModes: ["never"]) { report in
          report(witness.token())
          reported.open()
          release.wait()
        } sendableProgress: { (_: Witness.Token) in
          Issue.record("an update")
        }
      }
      reported.wait()
      witness.during { task.cancel() }
      release.open()
      _ = await task.result
      #expect(witness.freed == [false])
    }
  }
}

/// Whether its tokens were freed inside a call.
private final class Witness: Sendable {
  private let state = Locked((isInside: false, freed: [Bool]()))

  var freed: [Bool] { state.withLock { $0.freed } }

  func during(_ body: () -> Void) {
    state.withLock { $0.isInside = true }
    body()
    state.withLock { $0.isInside = false }
  }

  func token() -> Token { Token(self) }

  final class Token: Sendable {
    private let witness: Witness

    fileprivate init(_ witness: Witness) { self.witness = witness }

    func touch() {}

    deinit { witness.state.withLock { $0.freed.append($0.isInside) } }
  }
}
