// A program whose main loop is somebody else's: here GLib's own.
import CGLib
import GLibRunLoop

@main struct HostMain {
  static func main() {
    GRunLoop.hostMain {
      let loop = g_main_loop_new(nil, 0)
      Task {
        try await Task.sleep(for: .milliseconds(10))
        print("a task of the main actor, under g_main_loop_run")
        g_main_loop_quit(loop)
      }
      g_main_loop_run(loop)
      return 0
    }
  }
}
