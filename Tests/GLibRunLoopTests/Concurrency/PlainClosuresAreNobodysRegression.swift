import GLibRunLoop
import Testing

/// Swift 6.3 took some of these for the main actor's, which trapped on every other loop.
@Suite(.patient) struct PlainClosuresAreNobodysRegression {
  @Test("C12 a plain closure runs on any loop, whatever stands in it and around it", arguments: Driver.allCases)
  func blocking(_ driver: Driver) async throws {
    let worker = DrivenWorker(driver)
    let counted = Self.block(worker.loop)
    worker.finish()
    #expect(counted == (0..<22).map { _ in true })
  }

  @Test("C12 likewise where it is awaited", arguments: Driver.allCases)
  func awaited(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: Bool.self)
      @Sendable func work() { log.append(loop.isCurrent) }
      let maybe: GRunLoop? = loop
      try? await loop.performAndWait { work() }
      try? await loop.performAndWait {
        work(); work()
      }
      try? await loop.performAndWait {
        work(); throw CancellationError()
      }
      try? await loop.performAndWait { if log.count > 0 { work() } }
      try? await loop.performAndWait { for _ in 0..<2 { work() } }
      try? await loop.performAndWait(inModes: [.default]) {
        work(); work()
      }
      try await maybe?.performAndWait {
        work(); work()
      }
      try? await loop.performAndWait(work)
      try await loop.performAndWait(work)
      #expect(
        await
          (try? loop.performAndWait {
            work(); return 2
          }) == 2)
      try? await Self.onMainActor(loop, work)
      #expect(log.entries == (0..<19).map { _ in true })
    }
  }

  @Test("C12, P7 a closure of a global actor's that lives on the loop runs there, and on no other")
  func globalActor() async throws {
    let loop = AudioActor.shared.loop
    #expect(try await loop.performAndWait { @AudioActor in AudioActor.shared.loop.isCurrent })
    try await withDrivenLoop(.swift) { other in
      let error = await #expect(throws: GRunLoop.Failure.self) {
        try await other.performAndWait { @AudioActor in Issue.record("it ran") }
      }
      guard case .refused = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
  }

  private static func block(_ loop: GRunLoop) -> [Bool] {
    let log = Log(of: Bool.self)
    @Sendable func work() { log.append(loop.isCurrent) }
    let maybe: GRunLoop? = loop
    try? loop.performAndWait { work() }
    try? loop.performAndWait {
      work(); work()
    }
    try? loop.performAndWait {
      work(); throw CancellationError()
    }
    try? loop.performAndWait { if log.count > 0 { work() } }
    try? loop.performAndWait { for _ in 0..<2 { work() } }
    try? loop.performAndWait {
      do { try mayThrow() } catch {}; work()
    }
    try? loop.performAndWait(timeout: .seconds(300)) {
      work(); work()
    }
    try? loop.performAndWait(inModes: [.default]) {
      work(); work()
    }
    try? maybe?.performAndWait {
      work(); work()
    }
    try? loop.performAndWait(work)
    try? loop.performAndWait { () throws -> Void in
      work(); work()
    }
    _ = [1].map { _ in
      try? loop.performAndWait {
        work(); work()
      }
    }
    let result = Result {
      try loop.performAndWait {
        work(); work()
      }
    }
    if case .failure = result { log.append(false) }
    if (try? loop.performAndWait {
      work(); return 2
    }) != 2 {
      log.append(false)
    }
    return log.entries
  }

  @MainActor private static func onMainActor(_ loop: GRunLoop, _ work: @escaping @Sendable () -> Void) async throws {
    try? await loop.performAndWait {
      work(); work()
    }
    try await loop.performAndWait {
      work(); work()
    }
    loop.perform { work() }
    try await loop.settle()
  }
}

private func mayThrow() throws {}
