/// The work: how many primes there are in each of ten ranges.
enum Primes {
  static let ranges = (0..<10).map { ($0 * 50_000)..<(($0 + 1) * 50_000) }

  /// Takes a while, as work does.
  static func count(in range: Range<Int>) async throws -> Int {
    try await Task.sleep(for: .milliseconds(400))
    return range.count(where: isPrime)
  }

  private static func isPrime(_ number: Int) -> Bool {
    if number < 4 { return number > 1 }
    if number.isMultiple(of: 2) { return false }
    var divisor = 3
    while divisor * divisor <= number {
      if number.isMultiple(of: divisor) { return false }
      divisor += 2
    }
    return true
  }
}
