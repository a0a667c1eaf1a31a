import Glibc
import Testing

/// A filter of seccomp(2) around a process, so that GLib and Swift's runtime are refused the call, too.
@Suite struct RefusingKernelTests {
  static let calls = ["epoll_pwait2", "memfd_create", "pidfd_open", "timerfd_create"]

  @Test(
    "H2 all goes on under a kernel that refuses a call, and one line of the process says what is missing",
    arguments: calls, ["ENOSYS", "EPERM"])
  func goesOn(_ call: String, _ error: String) async throws {
    for driver in [MainDriver.swift, .glib] {
      // No loop needs memory files.
      let expected = call == "memfd_create" ? [] : [call]
      let result = try await programResult(
        "Refuse", [call, error, programPath("MainThreadScenarios"), "RefusingKernel", driver.rawValue] + expected)
      #expect(result.exitCode == 0, "\(driver) \(result)")
    }
  }

  @Test("H2 where nothing is refused, nothing is said", arguments: [MainDriver.swift, .glib])
  func nothing(_ driver: MainDriver) async throws { try await runScenario("RefusingKernel", driver) }
}
