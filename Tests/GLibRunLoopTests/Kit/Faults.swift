import CFaults
import Glibc

/// System calls of this thread that fail while a test wants them to.
enum Faults {
  /// - Parameters:
  ///   - skip: How many go through first.
  ///   - count: How many fail; nil is all.
  /// - Returns: How many failed.
  @discardableResult
  static func during(
    _ call: fault_call, _ error: CInt, after skip: CInt = 0, count: CInt? = nil, _ body: () throws -> Void
  ) rethrows -> CInt {
    fault_set(call, error, skip, count ?? -1)
    defer { fault_set(call, 0, 0, 0) }
    try body()
    return fault_hits(call)
  }
}
