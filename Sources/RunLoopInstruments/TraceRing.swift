import CRunLoopShims
import GLibRunLoop

/// The records of one trace that wait to be written, or until they are too old.
final class TraceRing: @unchecked Sendable {
  // Invariant for @unchecked: what changes is guarded by `lock`.

  private let lock = Lock()
  private let capacity: Int
  /// How long a record is kept, in nanoseconds; nil if all are to be written.
  private let keeps: Int64?
  private let records: UnsafeMutablePointer<Record>
  private var first = 0
  private var count = 0
  private var lost: UInt32 = 0

  init(capacity: Int, keeps: Int64?) {
    self.capacity = capacity
    self.keeps = keeps
    records = .allocate(capacity: capacity)
  }

  deinit { records.deallocate() }

  /// True if somebody should come and take them: there are some now, or many.
  func append(_ record: Record) -> Bool {
    lock.withLock {
      if count == capacity {
        if keeps == nil {
          lost &+= 1
          return false
        }
        first = (first + 1) % capacity
        count -= 1
      }
      (records + (first + count) % capacity).initialize(to: record)
      count += 1
      return count == 1 || count == capacity / 2
    }
  }

  /// Whether many wait.
  var isHalfFull: Bool { lock.withLock { count >= capacity / 2 } }

  /// Takes some out, and says how many were lost.
  func take(upTo limit: Int) -> (records: [Record], lost: UInt32) {
    lock.withLock {
      let number = min(limit, count)
      let taken = (0..<number).map { records[(first + $0) % capacity] }
      first = (first + number) % capacity
      count -= number
      defer { lost = 0 }
      return (taken, lost)
    }
  }

  /// Those that are not too old.
  func copy() -> [Record] {
    let oldest = grl_now(CLOCK_MONOTONIC).subtractingSaturated(keeps ?? .max)
    return lock.withLock {
      (0..<count).lazy.map { self.records[(self.first + $0) % self.capacity] }
        .filter { $0.start + $0.duration >= oldest }
    }
  }
}
