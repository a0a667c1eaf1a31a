import Testing

@Suite(.enabled(if: !isSanitized)) struct LoadedByThreadTests {
  @Test(
    "G2, C1 loaded by another thread than the first, the main queue is not served, one line says so, and all else works",
    arguments: ["thread", "first"], ["ends", "stays"])
  func loaded(first who: String, thread end: String) async throws {
    try await CProgram(name: "loaded_by_thread", isLinked: false).passes([Places.library, who, end])
  }
}
