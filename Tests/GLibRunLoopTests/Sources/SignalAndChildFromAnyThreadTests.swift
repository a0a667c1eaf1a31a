import GLibRunLoop
import Glibc
import Testing

@Suite struct SignalAndChildFromAnyThreadTests {
  @Test("S7, L4 a source for a signal and one for a child, added from another thread", arguments: Driver.allCases)
  func added(_ driver: Driver) async throws {
    try await onLoopThread {
      let worker = DrivenWorker(driver)
      let seen = Log(of: String.self)
      let called = Gate<Void>()
      let signal = GRunLoop.SignalSource(
        signal: SIGWINCH,
        sendableHandler: { source in
          // The first is enough; a signal may come again.
          source.invalidate()
          #expect(worker.loop.isCurrent)
          seen.append("signal")
          called.open()
        })
      worker.loop.add(signal, forMode: .common)
      kill(getpid(), SIGWINCH)
      called.wait()

      var pid = pid_t()
      let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
      defer { free(arguments[0]) }
      #expect(posix_spawn(&pid, "/bin/true", nil, nil, arguments, nil) == 0)
      let child = GRunLoop.ChildSource(
        pid: pid,
        sendableHandler: { _, status in
          #expect(worker.loop.isCurrent)
          seen.append("child \(status)")
          called.open()
        })
      worker.loop.add(child, forMode: .common)
      called.wait()
      worker.finish()
      #expect(seen.entries == ["signal", "child 0"])
    }
  }
}
