import CGLib
import Glibc
import Testing

/// Who drives the main loop in a scenario.
enum MainDriver: String, CaseIterable, Sendable {
  /// `GRunLoop.run` and its kin.
  case swift
  /// `g_main_loop_run`.
  case glib
  /// `g_application_run`.
  case application
}

/// How a program's process ended, and what it said.
struct ScenarioResult: Sendable {
  /// Its exit code, if it exited.
  let exitCode: CInt?
  /// The signal that ended it, if one did. `SIGALRM` says that it hung.
  let signal: CInt?
  let output: String
  let errors: String
}

/// Runs a scenario of the program MainThreadScenarios, which has a first thread of its own, and waits for its end.
/// The program limits its own time.
func scenarioResult(_ arguments: [String]) async throws -> ScenarioResult {
  try await programResult("MainThreadScenarios", arguments)
}

/// Runs one of the programs that the tests bring along, and waits for its end. It limits its own time.
///
/// - Parameter library: A library to load into it first.
func programResult(
  _ program: String, _ arguments: [String] = [], preloading library: String? = nil
) async throws -> ScenarioResult {
  try await onLoopThread { try spawn(program, arguments, preloading: library) }
}

/// Runs a scenario and expects all that it expects.
func runScenario(
  _ name: String, _ driver: MainDriver? = nil, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let result = try await scenarioResult([name] + (driver.map { [$0.rawValue] } ?? []))
  if result.exitCode != 0 {
    Issue.record(
      "\(name) ended with \(result.signal.map { "signal \($0)" } ?? "\(result.exitCode!)"):\n\(result.output)\(result.errors)",
      sourceLocation: sourceLocation)
  }
}

private func spawn(_ program: String, _ arguments: [String], preloading library: String?) throws -> ScenarioResult {
  var argumentVector = ([directory + "/" + program] + arguments).map { strdup($0) } + [nil]
  defer { argumentVector.forEach { free($0) } }
  // What traps on purpose is not to be traced: the tracer may hang, and holds the pipes that are read here (Swift 6.3.1).
  var environment = g_environ_setenv(g_get_environ(), "SWIFT_BACKTRACE", "enable=no", 1)
  if let library { environment = g_environ_setenv(environment, "LD_PRELOAD", library, 1) }
  defer { g_strfreev(environment) }
  var output: UnsafeMutablePointer<CChar>?
  var errors: UnsafeMutablePointer<CChar>?
  var status: CInt = 0
  var error: UnsafeMutablePointer<GError>?
  defer {
    g_free(output)
    g_free(errors)
  }
  // Dispatch's threads, on which tests run, block the signals, and a process begins with its maker's mask.
  var (none, mask) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &mask)
  defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
  guard
    g_spawn_sync(
      nil, &argumentVector, environment, G_SPAWN_DEFAULT, nil, nil, &output, &errors, &status, &error) != 0
  else {
    defer { g_error_free(error) }
    throw CannotStart(description: String(cString: error!.pointee.message))
  }
  let signal = status & 0x7f
  return ScenarioResult(
    exitCode: signal == 0 ? status >> 8 & 0xff : nil, signal: signal == 0 ? nil : signal,
    output: output.map { String(cString: $0) } ?? "", errors: errors.map { String(cString: $0) } ?? "")
}

private struct CannotStart: Error, CustomStringConvertible {
  let description: String
}

/// Where one of these programs is, for another one that is to start it.
func programPath(_ program: String) -> String { directory + "/" + program }

/// The build puts the programs beside the test bundle, which on Linux is the running program.
private let directory: String = {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
  let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
}()
