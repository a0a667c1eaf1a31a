import GLibRunLoop
import Glibc
import Testing

/// A child had ended before anybody watched it, or while the loop was busy with another: its end was never told, and
/// whoever awaited it hung.
/// https://github.com/python/cpython/issues/87744
/// https://github.com/UKGovernmentBEIS/inspect_ai/pull/4263
@Suite struct ChildExitLostRegression {
  @Test("S7 the end of a child is told however early it came (asyncio)", arguments: Driver.allCases)
  func told(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var told: [pid_t: CInt] = [:]
      let children = try (0..<5).map { try Self.spawnEnding(with: $0) }
      // All of them have ended; nobody has asked for their status.
      for pid in children {
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == 0)
      }
      for pid in children {
        let source = GRunLoop.ChildSource(pid: pid) { source, status in
          told[source.pid] = status >> 8
          // Busy while the others wait.
          usleep(2000)
          if told.count == children.count { drive.quit() }
        }
        drive.loop.add(source, forMode: .default)
      }
      drive.run()
      #expect(children.map { told[$0] } == [0, 1, 2, 3, 4])
    }
  }

  private static func spawnEnding(with status: Int) throws -> pid_t {
    var pid = pid_t()
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup("exit \(status)"), nil]
    defer { for argument in arguments { free(argument) } }
    try #require(posix_spawn(&pid, "/bin/sh", nil, nil, arguments, nil) == 0)
    return pid
  }
}
