import GLibRunLoop
import Testing

@Suite(.patient) struct AwaitedPerformTests {
  @Test("C5 a perform that is awaited gives the value, from any task", arguments: Driver.allCases)
  func value(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      #expect(!loop.isCurrent)
      #expect(try await loop.performAndWait { loop.isCurrent })
      let values = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<50 { group.addTask { try await loop.performAndWait { number } } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(values == Set(0..<50))
    }
  }

  @Test("C5 it throws the closure's error", arguments: Driver.allCases)
  func error(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      await #expect(throws: Refusal.again) { try await loop.performAndWait { throw Refusal.again } }
    }
  }

  @Test("C5 what it takes along and brings back need not be Sendable")
  func notSendable() async throws {
    try await withDrivenLoop(.swift) { loop in
      let box = Box(1)
      let other = try await loop.performAndWait {
        box.number += 1
        return Box(box.number)
      }
      #expect(other.number == 2)
    }
  }

  @Test("C5, P1 it takes its turn among the performs that were queued", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: Int.self)
      loop.perform { log.append(1) }
      loop.perform { log.append(2) }
      try await loop.performAndWait { log.append(3) }
      #expect(log.entries == [1, 2, 3])
    }
  }

  @Test("C5, M2 it waits for the modes that it names", arguments: Driver.allCases)
  func modes(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let log = Log(of: String.self)
      async let held: Void = loop.performAndWait(inModes: ["private"]) { log.append("held") }
      while !loop.debugDescription.contains("mode private: 0 items, performs queued") { await Task.yield() }
      try await loop.performAndWait { log.append("plain") }
      try await loop.performAndWait { _ = loop.run(mode: "private", for: .zero) }
      try await held
      #expect(log.entries == ["plain", "held"])
    }
  }

  @Test("C5, P3 a caller that is on the loop's thread runs it at once")
  func inline() async throws {
    try await withDrivenLoop(.swift) { loop in
      let resident = Resident(loop: loop)
      let order = try await resident.orderOfTwo()
      #expect(order == ["awaited", "queued before"])
    }
  }

  private enum Refusal: Error { case again }

  private final class Box {
    var number: Int
    init(_ number: Int) { self.number = number }
  }

  private actor Resident: GRunLoop.PinnedActor {
    nonisolated let loop: GRunLoop
    init(loop: GRunLoop) { self.loop = loop }

    func orderOfTwo() async throws -> [String] {
      let log = Log(of: String.self)
      loop.perform { log.append("queued before") }
      try await loop.performAndWait { log.append("awaited") }
      #expect(log.count == 1)
      await withCheckedContinuation { continuation in loop.perform { continuation.resume() } }
      return log.entries
    }
  }
}
