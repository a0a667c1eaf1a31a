// rule: E9, C1, G2, M6
import CGtk
import GLibRunLoop
import Glibc

/// GTK drives: `g_application_run` iterates the default context, and the main loop and the main actor live in it.
@main struct Program {
  static func main() {
    GRunLoop.hostMain {
      let application = gtk_application_new("org.example.Primes", G_APPLICATION_NON_UNIQUE)!
      connect(application, "activate") { Window(application).show() }

      let terminated = GRunLoop.SignalSource(signal: SIGTERM) { _ in
        g_application_quit(application.asApplication)
        // GTK returns once it is back from the run of a dialog, if one is open.
        GRunLoop.main.stop()
      }
      GRunLoop.main.add(terminated, forMode: .common)
      return g_application_run(application.asApplication, 0, nil)
    }
  }
}
