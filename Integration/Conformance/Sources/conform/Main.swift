import Conformance
import Glibc

/// `conform [COUNT [SEED]]`: plays so many made-up scenarios in each comparison.
@main
enum Main {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
    guard numbers.count <= 2, !numbers.contains(nil) else {
      print("usage: conform [COUNT [SEED]], both of them numbers")
      exit(2)
    }
    let count = numbers.first.flatMap { $0 } ?? 10_000
    let seed = numbers.dropFirst().first.flatMap { $0 } ?? 1
    var failed = false
    for comparison in Comparison.allCases {
      if let failure = Search.failure(of: comparison, count: count, from: seed) {
        print(failure)
        failed = true
      } else {
        print("\(comparison): \(count) scenarios from seed \(seed) on, all as the rules say")
      }
    }
    exit(failed ? 1 : 0)
  }
}
