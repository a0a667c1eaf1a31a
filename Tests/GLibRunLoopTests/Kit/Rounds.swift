import GLibRunLoop

/// The numbers of a hammering test's rounds: as many as asked for, or as a slow machine manages in the time.
struct Rounds: Sequence, IteratorProtocol {
  private let count: Int
  private let end: GRunLoop.Instant
  private var number = 0

  init(_ count: Int, within time: Duration = .seconds(20)) {
    self.count = count
    end = .now + time
  }

  mutating func next() -> Int? {
    guard number < count, number == 0 || .now < end else { return nil }
    defer { number += 1 }
    return number
  }
}
