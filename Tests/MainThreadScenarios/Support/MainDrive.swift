import CGLib
import CGio
import GLibRunLoop

/// Who drives the main loop, as the program's second argument says.
enum MainDriver: String {
  /// `GRunLoop.run` and its kin.
  case swift
  /// `g_main_loop_run`.
  case glib
  /// `g_application_run`.
  case application
}

/// Runs the main loop, one way or another, until the scenario says that it is done.
final class MainDrive: @unchecked Sendable {
  // What `quit` touches from other threads goes through the loop.
  let driver: MainDriver
  private let mainLoop = g_main_loop_new(nil, 0)!
  private var application: UnsafeMutablePointer<GApplication>?

  @MainActor init(_ driver: MainDriver? = nil) {
    self.driver = driver ?? MainDriver(rawValue: CommandLine.arguments.dropFirst(2).first ?? "swift")!
  }

  deinit { g_main_loop_unref(mainLoop) }

  /// Runs until `quit()`.
  @MainActor func run() {
    switch driver {
    case .swift: GRunLoop.main.run()
    case .glib: g_main_loop_run(mainLoop)
    case .application: runApplication()
    }
  }

  @MainActor private func runApplication() {
    let application = g_application_new(nil, G_APPLICATION_NON_UNIQUE)!
    self.application = application
    // An application without a window has to be held, and one that is not told what to do when activated complains.
    let activated: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, _ in }
    g_signal_connect_data(
      application, "activate", unsafeBitCast(activated, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
    g_application_hold(application)
    g_application_run(application, 0, nil)
    self.application = nil
    g_object_unref(application)
  }

  /// Ends the run in progress. From the main thread.
  func quit() {
    switch driver {
    case .swift: GRunLoop.main.stop()
    case .glib: g_main_loop_quit(mainLoop)
    case .application: g_application_quit(application)
    }
  }
}

extension MainDrive {
  /// Queues the scenario's next step.
  @MainActor func perform(_ body: @escaping @MainActor () -> Void) {
    GRunLoop.main.perform { MainActor.assumeIsolated { body() } }
  }
}

extension MainDrive {
  /// Ends the run once something is so.
  @MainActor func quitWhen(_ condition: @escaping @MainActor () -> Bool) {
    // Behind all else: on a slow machine it is always due, and would keep work of worse priorities from its turn.
    let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true, priority: .low) { timer in
      guard condition() else { return }
      timer.invalidate()
      self.quit()
    }
    GRunLoop.main.add(timer, forMode: .common)
  }
}
