import CGLib
import GLibRunLoop
import Glibc
import RunLoopInstruments
import RunLoopSysprof

/// Works in items whose marks `check` looks for: `SysprofHost swift|glib exit|stop`.
@main @MainActor struct SysprofHost {
  static let posts = 20_000

  static func main() throws {
    let trace = try GRunLoop.Trace.markInSysprof()
    print(trace == nil ? "no capture" : "in a capture")
    let loop = GRunLoop.main
    loop.add(timer("autosave", after: 200, works: 30), forMode: .default)
    loop.add(timer("ein Name, der länger ist als Sysprof ihn mag: äöü", after: 300, works: 1), forMode: .default)
    let source = GRunLoop.Source { _ in usleep(20_000) }
    source.name = "render"
    loop.add(source, forMode: .default)
    source.signal()

    let drive = CommandLine.arguments[1]
    nonisolated(unsafe) let mainLoop = g_main_loop_new(loop.context, 0)!
    let last = GRunLoop.Timer(interval: .milliseconds(400), repeats: false) { _ in
      // More than the profiler's ring has room for.
      for _ in 0..<posts { loop.perform(name: "post") {} }
      loop.perform { @Sendable in drive == "swift" ? loop.stop() : g_main_loop_quit(mainLoop) }
    }
    loop.add(last, forMode: .default)
    if drive == "swift" { loop.run(mode: .default, for: .seconds(60)) } else { g_main_loop_run(mainLoop) }
    if CommandLine.arguments[2] == "exit" { return }
    trace?.stop()
    fflush(nil)
    // So that nothing is left to be done at exit.
    _exit(0)
  }

  static func timer(_ name: String, after milliseconds: Int, works: UInt32) -> GRunLoop.Timer {
    let timer = GRunLoop.Timer(interval: .milliseconds(milliseconds), repeats: false) { _ in usleep(works * 1000) }
    timer.name = name
    return timer
  }
}
