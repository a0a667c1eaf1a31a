// Foundation's own timers and performs, in a program that GLib drives.
import CGLib
import Foundation
import GLibRunLoop
import RunLoopFoundation

GRunLoop.serveFoundation()
let loop = g_main_loop_new(nil, 0)
let ticks = Timer.scheduledTimer(withTimeInterval: 0.02, repeats: true) { _ in print("Foundation's tick") }
GRunLoop.main.perform(after: .milliseconds(110)) { @MainActor in
  ticks.invalidate()
  RunLoop.main.perform {
    print("Foundation's perform")
    GRunLoop.main.perform { @MainActor in g_main_loop_quit(loop) }
  }
}
g_main_loop_run(loop)
