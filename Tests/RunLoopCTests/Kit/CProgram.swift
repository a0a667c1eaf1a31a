import Foundation
import Testing

/// Who drives the loop in a program.
enum Driver: String, CaseIterable, Sendable {
  /// `grunloop_run_in_mode`.
  case own
  /// `g_main_context_iteration`.
  case glib
}

/// A C program of this folder: compiled with gcc against the header alone, and run as a process.
struct CProgram {
  let name: String
  /// How its file's name ends: `c`, or `cpp` for C++.
  var language = "c"
  /// False for one that loads the library by itself.
  var isLinked = true

  /// Expects that it ends well. Its own test functions say what is wrong otherwise.
  func passes(_ arguments: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let path = try await compiled()
    let run = try await command(path, arguments)
    #expect(run.status == 0, "\(name) \(arguments): \(run.output)", sourceLocation: sourceLocation)
  }

  func passes(_ driver: Driver, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await passes([driver.rawValue], sourceLocation: sourceLocation)
  }

  /// Compiles it, and returns where it is.
  private func compiled() async throws -> String {
    try await Compiler.shared.program(self)
  }
}

/// Compiles each program once.
private actor Compiler {
  static let shared = Compiler()
  private var programs: [String: Task<String, any Error>] = [:]

  func program(_ program: CProgram) async throws -> String {
    let task = programs[program.name] ?? Task { try await compile(program) }
    programs[program.name] = task
    return try await task.value
  }

  private func compile(_ program: CProgram) async throws -> String {
    let path = Places.products + "/RunLoopC-" + program.name
    let flags = try await pkgConfig("--cflags", "--libs", "glib-2.0")
    let linking = program.isLinked ? ["-L" + Places.products, "-lgrunloop", "-Wl,-rpath," + Places.products] : []
    let compiler = program.language == "c" ? ["/usr/bin/gcc", "-std=gnu11"] : ["/usr/bin/g++", "-std=gnu++11"]
    let gcc = try await command(
      compiler[0],
      [
        compiler[1], "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-cast-function-type", "-Werror", "-I",
        Places.headers,
      ]
        + [Places.programs + "/" + program.name + "." + program.language, "-o", path] + linking + flags)
    try #require(gcc.status == 0, "\(gcc.output)")
    return path
  }
}

func pkgConfig(_ arguments: String...) async throws -> [String] {
  let result = try await command("/usr/bin/pkg-config", arguments)
  try #require(result.status == 0, "\(result.output)")
  return result.output.split(whereSeparator: \.isWhitespace).map(String.init)
}

/// How a process ended, and what it said. The status is minus the signal that ended it.
struct Ending: Sendable {
  let status: Int32
  let output: String
}

/// Runs a program, and waits for its end, on a thread of its own. It limits its own time.
func command(_ path: String, _ arguments: [String]) async throws -> Ending {
  try await withCheckedThrowingContinuation { continuation in
    Thread {
      // Dispatch's threads, on which tests run, block the signals, and a process begins with its maker's mask.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      continuation.resume(with: Result { try run(path, arguments) })
    }.start()
  }
}

private func run(_ path: String, _ arguments: [String]) throws -> Ending {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  // What traps is not to be traced: the tracer may hang, and holds the pipes that are read here (Swift 6.3.1).
  process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  let output = Pipe()
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let said = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  return Ending(status: status, output: String(decoding: said, as: UTF8.self))
}

/// Where things are.
enum Places {
  /// The build puts the library beside the test bundle, which on Linux is the running program.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path
  static let library = products + "/libgrunloop.so"
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .path
  static let repository = tests + "/../.."
  static let programs = tests + "/Programs"
  static let headers = repository + "/Sources/CGRunLoop/include"

  static func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
