import Foundation
import Testing

@Suite(.enabled(if: !isSanitized)) struct VersionTests {
  @Test("G1 the header's version can be compared")
  func compares() async throws {
    try await CProgram(name: "version").passes()
  }

  @Test("H1 the pages say the header's version", arguments: ["README.md", "GettingStarted.md"])
  func pages(_ page: String) throws {
    let folder = page == "README.md" ? "" : "Sources/GLibRunLoop/GLibRunLoop.docc/"
    let required = try Places.text(of: Places.repository + "/" + folder + page).matches(of: #/from: "([0-9.]+)"/#)
    #expect(try Set(required.map { String($0.1) }) == [Header().version])
  }

  @Test("H1 the newest heading of the change log is the header's version")
  func changeLog() throws {
    let newest = try Places.text(of: Places.repository + "/CHANGELOG.md").firstMatch(of: #/(?m)^## ([0-9.]+)/#)
    #expect(try newest.map { String($0.1) } == Header().version)
  }
}
