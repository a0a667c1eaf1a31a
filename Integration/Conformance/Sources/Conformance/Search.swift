/// Plays made-up scenarios and makes those that fail small.
package struct Search {
  package struct Failure {
    package let comparison: Comparison
    package let seed: UInt64
    package let scenario: Scenario
    package let expected: [String]
    package let seen: [String]
  }

  /// The first of the scenarios of `count` seeds from `seed` on that fails, as small as it gets.
  package static func failure(of comparison: Comparison, count: UInt64, from seed: UInt64) -> Failure? {
    for seed in seed..<seed + count {
      let scenario = Generator.scenario(seed: seed, isDriven: comparison.isDriven)
      guard comparison.fails(scenario) else { continue }
      let small = Shrinker.shrink(scenario, while: comparison.fails)
      let (expected, seen) = comparison.traces(of: small)
      return Failure(comparison: comparison, seed: seed, scenario: small, expected: expected, seen: seen)
    }
    return nil
  }
}

extension Search.Failure: CustomStringConvertible {
  /// The failure, and a test to paste into Tests/ConformanceTests.
  package var description: String {
    """
    \(comparison): the scenario of seed \(seed) is not played as the rules say.

    expected:
    \(expected.map { "  " + $0 }.joined(separator: "\n"))
    seen:
    \(seen.map { "  " + $0 }.joined(separator: "\n"))

    @Test("…") func found() {
      expect(
        .\(comparison),
        \(scenario.source.split(separator: "\n").joined(separator: "\n    ")))
    }
    """
  }
}
