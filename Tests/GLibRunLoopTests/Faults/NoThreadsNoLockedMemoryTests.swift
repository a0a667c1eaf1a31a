import Glibc
import Testing

@Suite struct NoThreadsNoLockedMemoryTests {
  @Test("R1 a loop needs no thread of its own and locks no memory", arguments: [MainDriver.swift, .glib])
  func goesOn(_ driver: MainDriver) async throws { try await runScenario("NoThreadsNoLockedMemory", driver) }

  @Test("S7 GLib waits for signals on a thread; without one the process ends, and says why")
  func signals() async throws {
    let result = try await scenarioResult(["SignalSourceWithoutThread"])
    #expect(result.exitCode != 0 && result.signal != SIGALRM)
    #expect(result.errors.contains("creating thread"))
  }
}
