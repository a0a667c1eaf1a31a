import Conformance
import Testing

/// Each difference, shown by the smallest scenario that has it. If Core Foundation changes, or this library, one fails.
@Suite struct DifferencesTests {
  @Test("Core Foundation's way and the library's", arguments: Example.all)
  func shown(_ example: Example) {
    let library = Comparison.library.traces(of: example.scenario)
    let coreFoundation = Comparison.coreFoundation.traces(of: example.scenario)
    #expect(library.seen == example.library)
    #expect(coreFoundation.seen == example.coreFoundation)
    #expect(library.expected == library.seen)
    #expect(coreFoundation.expected == coreFoundation.seen)
    // It is this difference that the scenario shows.
    let without = Comparison.coreFoundation(without: example.difference, example.scenario)
    #expect(without != coreFoundation.seen)
  }

  @Test("each difference has an example", arguments: Difference.allCases)
  func all(_ difference: Difference) {
    #expect(Example.all.contains { $0.difference == difference })
  }
}
