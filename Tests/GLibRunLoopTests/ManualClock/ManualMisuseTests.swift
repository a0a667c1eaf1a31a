import GLibRunLoop
import Testing

@Suite struct ManualMisuseTests {
  @Test("L4 another thread cannot move the time, and is told so")
  func otherThread() async throws {
    try await inManualTime { clock in
      let before = clock.now
      TestThread {
        let said = CapturedWarnings.during {
          clock.advance(by: .seconds(1))
          clock.suspend(for: .seconds(1))
          clock.end()
        }
        #expect(said.count == 3 && said.allSatisfy { $0.contains("only its own thread can call it") })
      }.join()
      #expect(.now == before && clock.now(on: .continuous) == .now(on: .continuous))
    }
  }

  @Test("M4 an advance through a set of modes is refused, and takes no time")
  func common() async throws {
    try await inManualTime { clock in
      let before = clock.now
      let said = CapturedWarnings.during { clock.advance(by: .seconds(1), through: .run(.common)) }
      #expect(said.count == 1 && said[0].contains("set of modes"))
      #expect(clock.now == before)
    }
  }

  @Test("R8 a second clock on a thread traps, and says what to do")
  func second() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let clock = GRunLoop.ManualClock()
      _ = GRunLoop.ManualClock()
      clock.end()
    }
    expectMessage("end() that first", in: result)
  }
}
