import Foundation
import GLibRunLoop
import Glibc
import Testing

@Suite struct EnvironmentTests {
  @Test("H3 a log handler may use the loop: what the environment got wrong is said when the first loop turns")
  func logHandler() async throws {
    try await onLoopThread {
      let program = try ChildProgram(
        scenario: "logs-on-loop", environment: ["GRUNLOOP_TRACE=/no/folder/trace.json", "GRUNLOOP_STALLS=never"])
      #expect(program.line()?.contains("\"never\" is no number of milliseconds") == true)
      #expect(program.finish() == 0)
    }
  }

  @Test("H3 where the environment asks for a trace, a link is not followed")
  func link() async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      try "precious".write(toFile: scratch.path("file"), atomically: false, encoding: .utf8)
      symlink(scratch.path("file"), scratch.path("link"))
      let program = try ChildProgram(scenario: "returns", environment: ["GRUNLOOP_TRACE=\(scratch.path("link"))"])
      #expect(program.complaint(with: "GRUNLOOP_TRACE") != nil)
      #expect(program.finish() == 0)
      #expect(scratch.text("file") == "precious")
    }
  }

  @Test("H3 a program with more rights than who started it does not obey the environment", .enabled(if: getuid() == 0))
  func setUserID() async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      chmod(scratch.folder.path, 0o755)
      let copy = scratch.path("program")
      try FileManager.default.copyItem(atPath: ChildProgram.instrumentsProgram, toPath: copy)
      for (mode, isObeyed) in [(mode_t(0o4755), false), (0o755, true)] {
        // Copied anew, since a change of the owner takes the bit away.
        chown(copy, 0, 0)
        chmod(copy, mode)
        let path = isObeyed ? "/tmp/glibrunloop-\(UUID().uuidString)" : scratch.path("trace")
        let program = try ChildProgram(
          "/usr/bin/env",
          ["SWIFT_BACKTRACE=enable=no", "GRUNLOOP_TRACE=\(path)", "setpriv", "--reuid=65534", copy, "returns"])
        #expect(program.finish() == 0)
        #expect(FileManager.default.fileExists(atPath: path) == isObeyed)
        unlink(path)
      }
    }
  }
}
