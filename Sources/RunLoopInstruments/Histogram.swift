import GLibRunLoop

extension GRunLoop.Metrics {
  /// How often something took how long, by powers of two.
  public struct Histogram: Sendable, Equatable, Codable {
    /// How many values there were in each range: the one at `n` is of those from 2ⁿ nanoseconds to less than 2ⁿ⁺¹; the
    /// first one's are 0 and 1. It ends with the longest value's.
    public internal(set) var buckets: [UInt64] = []
    /// How many values there were.
    public internal(set) var count: UInt64 = 0
    /// All of them together, in nanoseconds.
    public internal(set) var totalNanoseconds: Int64 = 0
    /// The longest, in nanoseconds.
    public internal(set) var longestNanoseconds: Int64 = 0

    /// Nothing yet.
    public init() {}

    mutating func add(_ nanoseconds: Int64) {
      let value = max(0, nanoseconds)
      let bucket = value < 2 ? 0 : Int64.bitWidth - 1 - value.leadingZeroBitCount
      while buckets.count <= bucket { buckets.append(0) }
      buckets[bucket] += 1
      count += 1
      totalNanoseconds = totalNanoseconds.addingSaturated(value)
      longestNanoseconds = max(longestNanoseconds, value)
    }

    /// The mean; zero if there were none.
    public var mean: Duration { .nanoseconds(count == 0 ? 0 : totalNanoseconds / Int64(clamping: count)) }

    /// The longest value.
    public var longest: Duration { .nanoseconds(longestNanoseconds) }

    /// What this share of the values does not exceed, to a power of two: 0.5 gives the median's upper bound.
    public func quantile(_ share: Double) -> Duration {
      let wanted = share * Double(count)
      var seen: UInt64 = 0
      for (bucket, number) in buckets.enumerated() {
        seen += number
        if seen > 0, Double(seen) >= wanted {
          return .nanoseconds(min(longestNanoseconds, bucket >= 62 ? .max : (1 << Int64(bucket + 1)) - 1))
        }
      }
      return longest
    }
  }
}
