import Testing

/// The library that serves the main queue in programs that know nothing of it.
@Suite(.enabled(if: canPreload)) struct PreloadedMainQueueTests {
  @Test("C1, C4 preloaded, it alone makes the main queue and the main actor work under g_main_loop_run")
  func mainLoop() async throws {
    let library = try #require(preloadLibrary)
    let served = try await programResult("PlainHost", ["main loop"], preloading: library)
    #expect(served.exitCode == 0, "\(served.output)\(served.errors)")
    #expect(served.errors == "")
    let control = try await programResult("PlainHost", ["main loop", "100"])
    #expect(control.exitCode == 3, "the main queue is served without the library: this proves nothing")
  }

  @Test("C1 linked, it does so too")
  func linked() async throws {
    let result = try await programResult("LinkedHost")
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test("C2 it adds no wake-up while nothing is queued")
  func idle() async throws {
    let library = try #require(preloadLibrary)
    var more = Int.max
    // What a busy machine does can only add to the count.
    for _ in 0..<10 where more > 3 {
      let control = try await programResult("PlainHost", ["idle"])
      let served = try await programResult("PlainHost", ["idle"], preloading: library)
      more = try #require(Int(served.output.dropLast())) - #require(Int(control.output.dropLast()))
    }
    // A lock that another thread holds may cost one of each.
    #expect(more <= 3)
  }

  @Test(
    "C1, M4, G7 where the program has a main loop of this library's, preloading changes nothing: that one alone serves",
    arguments: ["MainQueueServed", "HostModeHoldsMainQueue", "MainQueueInModes"])
  func leavesItToTheMainLoop(_ scenario: String) async throws {
    let library = try #require(preloadLibrary)
    // In a host mode that is not common the queue is held; two that serve would not hold it.
    let arguments = [scenario, MainDriver.glib.rawValue]
    let result = try await programResult("MainThreadScenarios", arguments, preloading: library)
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }
}
