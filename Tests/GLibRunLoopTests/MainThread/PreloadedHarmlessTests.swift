import Testing

@Suite(.enabled(if: canPreload)) struct PreloadedHarmlessTests {
  @Test(
    "C1 a program that never iterates the default context ends as without it", arguments: ["no loop", "dispatch main"])
  func endsAlike(_ way: String) async throws {
    let library = try #require(preloadLibrary)
    let control = try await programResult("PlainHost", [way])
    let served = try await programResult("PlainHost", [way], preloading: library)
    #expect(control.exitCode == (way == "no loop" ? 5 : 6))
    #expect(served.exitCode == control.exitCode, "\(served.output)\(served.errors)")
    #expect(served.errors == "")
  }

  @Test("C1, L2 where another thread iterates the default context the main queue's work does not run on that one")
  func otherThread() async throws {
    let library = try #require(preloadLibrary)
    var errors = ""
    // The time is for what must not come. On a slow machine it may be over before what must.
    for milliseconds in [50, 500, 5000, 50_000] where !errors.contains("the main queue is not served") {
      let result = try await programResult("PlainHost", ["other thread", "\(milliseconds)"], preloading: library)
      #expect(result.exitCode == 3, "\(result.output)\(result.errors)")
      errors = result.errors
    }
    #expect(errors.contains("the main queue is not served"), "\(errors)")
  }
}
