/// The scenarios by their names; one a file.
@MainActor let scenarios: [String: @MainActor () throws -> Void] = [
  "MainLoopLivesInDefaultContext": mainLoopLivesInDefaultContext
]
