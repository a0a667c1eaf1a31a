import Glibc
import Testing

@Suite struct DescriptorTableFullTests {
  @Test(
    "S5, T9 a loop goes on when the process may open nothing more; what needs a descriptor is refused until there is one",
    arguments: [MainDriver.swift, .glib])
  func goesOn(_ driver: MainDriver) async throws { try await runScenario("DescriptorTableFull", driver) }

  @Test("L1, M2 what cannot be had without a main context ends the process, which says why, as GLib does")
  func ends() async throws {
    for name in ["LoopWithoutDescriptors", "PrivateModeWithoutDescriptors"] {
      let result = try await scenarioResult([name])
      #expect(result.exitCode != 0 && result.signal != SIGALRM)
      #expect(result.errors.contains("Too many open files"))
    }
  }
}
