import CGLib
import GLibRunLoop
import Testing

@Suite struct StopTests {
  @Test("R5 a stop ends the innermost run, once, after its exit observers")
  func innermost() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch(.exit)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.perform {
        loop.perform {
          // Two are one: both are for the run that is innermost now.
          loop.stop()
          loop.stop()
          log.append("stop")
        }
        #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
        log.append("inner returned")
      }
      loop.add(
        GRunLoop.Timer(interval: .milliseconds(10)) { _ in
          log.append("outer goes on")
          loop.stop()
        }, forMode: .modalPanel)
      loop.add(GRunLoop.Source { _ in }, forMode: .modalPanel)
      #expect(loop.run(mode: .modalPanel, for: .seconds(30)) == .stopped)
      log.append("outer returned")
      #expect(log.entries == ["stop", "exit", "inner returned", "outer goes on", "outer returned"])
    }
  }

  @Test("R5 it ends run() and run(until:) too, after the exit observers", arguments: [true, false])
  func endless(withDate: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch(.exit)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.perform { loop.stop() }
      if withDate { loop.run(until: .distantFuture) } else { loop.run() }
      log.append("returned")
      #expect(log.entries == ["exit", "returned"])
    }
  }

  @Test("R5 with no run in progress it does nothing and is not remembered")
  func notRemembered() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      loop.stop()
      TestThread { loop.stop() }.join()
      #expect(loop.run(mode: .default, for: .milliseconds(5)) == .timedOut)
      loop.stop()
      #expect(loop.run(mode: .default, for: .zero) == .timedOut)
    }
  }

  @Test("R5 a stop is for runs, not for GLib's own loop: nothing happens there, and nothing later")
  func glibDrives() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.perform {
        loop.stop()
        loop.add(
          GRunLoop.Timer(interval: .milliseconds(10)) { _ in
            log.append("goes on")
            drive.quit()
          }, forMode: .default)
      }
      drive.run()
      #expect(log.entries == ["goes on"])
      #expect(loop.run(mode: .default, for: .milliseconds(5)) == .timedOut)
    }
  }

  @Test("R5 a stop of a run inside GLib's loop ends that run only")
  func insideGLib() async throws {
    try await onLoopThread {
      let drive = Drive(.glib)
      let loop = drive.loop
      let log = Log(of: String.self)
      loop.perform {
        loop.add(GRunLoop.Timer(interval: .milliseconds(5)) { _ in loop.stop() }, forMode: .default)
        #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
        log.append("run returned")
        loop.perform {
          log.append("GLib's loop goes on")
          drive.quit()
        }
      }
      drive.run()
      #expect(log.entries == ["run returned", "GLib's loop goes on"])
    }
  }
}
