import Conformance

/// A scenario that shows a difference.
struct Example: Sendable, CustomStringConvertible {
  let difference: Difference
  let what: String
  let scenario: Scenario
  let library: [String]
  let coreFoundation: [String]

  init(
    _ difference: Difference, _ what: String, _ items: [Item], _ steps: [Op], _ happenings: [Happening] = [],
    library: [String], coreFoundation: [String]
  ) {
    self.difference = difference
    self.what = what
    scenario = Scenario(items: items, steps: steps, happenings: happenings)
    self.library = library
    self.coreFoundation = coreFoundation
  }

  var description: String { what }

  static let all = runs + sources + timers + modes
}
