import Dispatch

/// Counts the primes below a number in the background, and gives the answer back on the main thread.
@c public func swift_side_count_primes(
  _ limit: CInt, _ answer: @escaping @Sendable @convention(c) (CInt, UnsafeMutableRawPointer?) -> Void,
  _ data: UnsafeMutableRawPointer?
) {
  let caller = Caller(data: data)
  Task.detached {
    let count = countPrimes(below: limit)
    await MainActor.run { answer(count, caller.data) }
  }
}

/// Calls again and again on the main actor, and sleeps in between, until told to stop.
@c public func swift_side_start_ticking(
  _ tick: @escaping @Sendable @convention(c) (UnsafeMutableRawPointer?) -> CInt, _ data: UnsafeMutableRawPointer?
) {
  let caller = Caller(data: data)
  Task { @MainActor in
    while tick(caller.data) != 0 { try? await Task.sleep(for: .milliseconds(1)) }
  }
}

/// Queues a call on Dispatch's main queue.
@c public func swift_side_dispatch(
  _ work: @escaping @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void, _ data: UnsafeMutableRawPointer?
) {
  let caller = Caller(data: data)
  DispatchQueue.main.async { work(caller.data) }
}

private struct Caller: @unchecked Sendable {
  // Handed back as it came, on the main thread, where the C program made it.
  let data: UnsafeMutableRawPointer?
}

private func countPrimes(below limit: CInt) -> CInt {
  guard limit > 2 else { return 0 }
  return CInt((2..<limit).count { number in !(2..<number).prefix { $0 * $0 <= number }.contains { number % $0 == 0 } })
}
