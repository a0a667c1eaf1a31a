import CGLib
import GLibRunLoop
import Glibc
import Testing

/// In the same suite, since a signal is the whole process's.
extension SignalSourceTests {
  @Test("S7, M2 a signal is held until a run comes to the source's mode", arguments: Driver.allCases)
  func held(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let source = GRunLoop.SignalSource(signal: SIGHUP) { _ in calls += 1 }
      drive.loop.add(source, forMode: "signals")
      let watch = GRunLoop.SignalSource(signal: SIGHUP) { _ in drive.quit() }
      drive.loop.add(watch, forMode: .default)
      kill(getpid(), SIGHUP)
      drive.run()
      #expect(calls == 0)
      let result = drive.loop.run(mode: "signals", for: .seconds(30), returnAfterSourceHandled: true)
      #expect(result == .handledSource)
      #expect(calls == 1)
      source.invalidate()
      watch.invalidate()
    }
  }

  @Test("S7 several sources for one signal are all called, GLib's own too", arguments: Driver.allCases)
  func several(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: Set<String> = []
      func called(_ name: String) {
        log.insert(name)
        if log.count == 3 { drive.quit() }
      }
      let sources = ["a", "b"].map { name in
        GRunLoop.SignalSource(signal: SIGTERM) { _ in called(name) }
      }
      for source in sources { drive.loop.add(source, forMode: .default) }
      let foreign = g_unix_signal_source_new(SIGTERM)!
      let callBack = Unmanaged.passRetained(CallBack { called("glib") })
      g_source_set_callback(
        foreign,
        { data in
          Unmanaged<CallBack>.fromOpaque(data!).takeUnretainedValue().body()
          return 1
        }, callBack.toOpaque(), nil)
      g_source_attach(foreign, drive.loop.context)
      kill(getpid(), SIGTERM)
      drive.run()
      #expect(log == ["a", "b", "glib"])
      g_source_destroy(foreign)
      g_source_unref(foreign)
      callBack.release()
      for source in sources { source.invalidate() }
    }
  }

  @Test("S7, S8 an invalidated signal source is called no more and frees its handler", arguments: Driver.allCases)
  func invalidated(_ driver: Driver) async throws {
    try await onLoopThread {
      let lives = LifeCount()
      let drive = Drive(driver)
      // Keeps the signal from ending the process.
      let guardian = GRunLoop.SignalSource(signal: SIGUSR1) { _ in drive.quit() }
      drive.loop.add(guardian, forMode: .default)
      do {
        let token = lives.token()
        let source = GRunLoop.SignalSource(signal: SIGUSR1) { source in
          token.touch()
          Issue.record("called after it was invalidated")
        }
        drive.loop.add(source, forMode: .default)
        drive.poll()
        source.invalidate()
      }
      kill(getpid(), SIGUSR1)
      drive.run()
      drive.poll()
      #expect(lives.value == 0)
      guardian.invalidate()
    }
  }

  private final class CallBack {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }
}
