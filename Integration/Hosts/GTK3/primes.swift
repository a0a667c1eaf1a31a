// The plug-in: Swift code that knows nothing of GLib. Where it says main actor, the host's main loop is meant.

/// Counts primes in the background. What comes of it is told on the main thread: each range, and at last their sum.
@c public func primes_count(
  _ each:
    @escaping @convention(c) @Sendable (_ first: Int, _ last: Int, _ count: Int, _ data: UnsafeMutableRawPointer?) ->
    Void,
  _ done: @escaping @convention(c) @Sendable (_ total: Int, _ data: UnsafeMutableRawPointer?) -> Void,
  _ data: UnsafeMutableRawPointer?
) {
  // Only handed through.
  nonisolated(unsafe) let data = data
  Task.detached {
    var total = 0
    for range in Primes.ranges {
      let count = try await Primes.count(in: range)
      await MainActor.run { each(range.lowerBound, range.upperBound - 1, count, data) }
      total += count
    }
    let sum = total
    await MainActor.run { done(sum, data) }
  }
}

/// Calls on the main thread, again and again, for as long as the main actor is served.
@c public func primes_tick(
  _ tick: @escaping @convention(c) @Sendable (_ data: UnsafeMutableRawPointer?) -> Void,
  _ data: UnsafeMutableRawPointer?
) {
  nonisolated(unsafe) let data = data
  Task { @MainActor in
    while true {
      try await Task.sleep(for: .milliseconds(20))
      tick(data)
    }
  }
}
