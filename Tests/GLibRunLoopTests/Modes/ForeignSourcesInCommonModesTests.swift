import CGLib
import GLibRunLoop
import Testing

@Suite struct ForeignSourcesInCommonModesTests {
  /// What a library attached that knows nothing of modes: an idle, a time-out and a descriptor source.
  private final class Window {
    let calls = Log(of: String.self)
    private let pipe = BytePipe()
    private var sources: [Foreign.Source] = []

    init(on loop: GRunLoop) {
      pipe.put()
      sources = [
        Foreign.idle { [calls] in note("idle", calls) },
        Foreign.timeout(milliseconds: 1) { [calls] in note("timeout", calls) },
        Foreign.readable(pipe.readEnd) { [calls] in note("descriptor", calls) },
      ]
      for source in sources { g_source_attach(source, loop.context) }
    }

    deinit {
      for source in sources {
        g_source_destroy(source)
        g_source_unref(source)
      }
    }

    var isAlive: Bool { ["idle", "timeout", "descriptor"].allSatisfy(calls.entries.contains) }
  }

  private static func runUntilAlive(_ window: Window, _ loop: GRunLoop, _ mode: GRunLoop.Mode) -> Bool {
    let limit = GRunLoop.Instant.now.advanced(by: .seconds(30))
    while !window.isAlive, GRunLoop.Instant.now < limit { loop.run(mode: mode, for: .milliseconds(2)) }
    return window.isAlive
  }

  @Test(
    "M6 in a mode of the common set foreign sources run too, from any call-back",
    arguments: [.default, .modalPanel, .eventTracking, "joined"] as [GRunLoop.Mode], Driver.allCases)
  func aliveInCommonModes(_ mode: GRunLoop.Mode, _ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      loop.addCommonMode("joined")
      loop.add(GRunLoop.Source { _ in }, forMode: mode)
      // A modal loop, begun by an item of the loop's and by a source of GLib's.
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
        #expect(Self.runUntilAlive(Window(on: loop), loop, mode))
        Foreign.idle {
          #expect(Self.runUntilAlive(Window(on: loop), loop, mode))
          drive.quit()
          return false
        }.attach(to: loop.context)
      }
      loop.add(timer, forMode: .default)
      drive.run()
    }
  }

  @Test("M6 a private mode hears its own items only, and foreign sources go on after it", arguments: Driver.allCases)
  func privateMode(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let rounds = Log(of: Int.self)
      loop.perform {
        let window = Window(on: loop)
        let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
          rounds.append(rounds.count)
          if rounds.count == 20 { loop.stop() }
        }
        loop.add(timer, forMode: "private")
        #expect(loop.run(mode: "private", for: .seconds(60)) == .stopped)
        #expect(window.calls.entries.isEmpty)
        #expect(Self.runUntilAlive(window, loop, .modalPanel))
        drive.quit()
      }
      loop.add(GRunLoop.Source { _ in }, forMode: .modalPanel)
      drive.run()
      #expect(rounds.count == 20)
    }
  }
}

private func note(_ call: String, _ calls: Log<String>) -> Bool {
  calls.append(call)
  return true
}
