import Glibc

/// What did not hold.
enum Failures {
  private static let count = Locked(0)

  static func add() { count.withLock { $0 += 1 } }
  static var exitCode: CInt { count.withLock { $0 } == 0 ? 0 : 1 }
}

/// From any thread.
func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
  if !condition { fail(message(), line: line, file: file) }
}

/// From any thread.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ message: @autoclosure () -> String = "", line: UInt = #line,
  file: StaticString = #fileID
) {
  if value != expected { fail("\(message()): \(value), expected \(expected)", line: line, file: file) }
}

func fail(_ message: String, line: UInt = #line, file: StaticString = #fileID) {
  print("\(file):\(line): \(message)")
  fflush(nil)
  Failures.add()
}
