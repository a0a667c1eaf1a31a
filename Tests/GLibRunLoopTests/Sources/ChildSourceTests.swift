import GLibRunLoop
import Glibc
import Testing

@Suite struct ChildSourceTests {
  /// Starts a shell that does this.
  private static func shell(_ command: String) throws -> pid_t {
    var pid = pid_t()
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
    defer { for argument in arguments { free(argument) } }
    let failed = posix_spawn(&pid, "/bin/sh", nil, nil, arguments, nil)
    try #require(failed == 0)
    return pid
  }

  @Test("S7 the end of a child is told once, with its status, and the source is gone", arguments: Driver.allCases)
  func exitStatus(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [CInt] = []
      let pid = try Self.shell("exit 7")
      let source = GRunLoop.ChildSource(pid: pid) { source, status in
        #expect(source.pid == pid)
        log.append(status)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      drive.run()
      drive.poll()
      #expect(log == [7 << 8])
      #expect(!source.isValid)
      // It was reaped.
      #expect(waitpid(pid, nil, WNOHANG) == -1)
    }
  }

  @Test("S7 a child that a signal ended", arguments: Driver.allCases)
  func killed(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [CInt] = []
      let pid = try Self.shell("exec sleep 1000")
      let source = GRunLoop.ChildSource(pid: pid) { _, status in
        log.append(status)
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in kill(pid, SIGKILL) }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(log == [SIGKILL])
    }
  }

  @Test("S7 many children that end at the same time: none is lost", arguments: Driver.allCases)
  func many(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let count = 20
      var statuses: [CInt] = []
      let pids = try (1...count).map { try Self.shell("kill -STOP $$; exit \($0)") }
      for pid in pids {
        // Only once it has stopped itself can it be made to go on.
        var status: CInt = 0
        try #require(waitpid(pid, &status, WUNTRACED) == pid)
        let source = GRunLoop.ChildSource(pid: pid) { _, status in
          statuses.append(status >> 8)
          if statuses.count == count { drive.quit() }
        }
        drive.loop.add(source, forMode: .default)
      }
      // As one goes on and ends, so do all the others.
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in for pid in pids { kill(pid, SIGCONT) } }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(statuses.sorted() == Array(1...CInt(count)))
    }
  }

  @Test("S7, M2 the end of a child is held until a run comes to the source's mode", arguments: Driver.allCases)
  func held(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let first = try Self.shell("exit 0")
      let held = GRunLoop.ChildSource(pid: first) { _, _ in log.append("held") }
      drive.loop.add(held, forMode: "children")
      let second = try Self.shell("exit 0")
      let watch = GRunLoop.ChildSource(pid: second) { _, _ in
        log.append("default")
        drive.quit()
      }
      drive.loop.add(watch, forMode: .default)
      drive.run()
      #expect(log == ["default"])
      let result = drive.loop.run(mode: "children", for: .seconds(30), returnAfterSourceHandled: true)
      #expect(result == .handledSource)
      #expect(log == ["default", "held"])
    }
  }
}
