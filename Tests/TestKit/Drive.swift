import CGLib
import GLibRunLoop
import Testing

/// The two ways in which a loop is run, so that a test says its scenario once.
package enum Driver: String, CaseIterable, Codable, Sendable {
  /// `GRunLoop.run` and its kin.
  case swift
  /// `g_main_loop_run` on the loop's context.
  case glib
}

/// Runs this thread's loop, one way or the other, until the scenario says that it is done.
package final class Drive: @unchecked Sendable {
  // `quit` may come from any thread: GRunLoop.stop and g_main_loop_quit allow that.
  package let driver: Driver
  package let loop: GRunLoop
  private let mainLoop: OpaquePointer
  /// Keeps a run in progress while the scenario has no item.
  private let anchor = GRunLoop.Source { _ in }

  package init(_ driver: Driver) {
    self.driver = driver
    loop = .current
    mainLoop = g_main_loop_new(loop.context, 0)
    loop.add(anchor, forMode: .default)
  }

  deinit {
    anchor.invalidate()
    g_main_loop_unref(mainLoop)
  }

  /// Runs until `quit()`. Records an issue if that does not come: the bound is for a broken loop, not for a slow machine.
  package func run(limit: Duration = .seconds(100), sourceLocation: SourceLocation = #_sourceLocation) {
    var timedOut = false
    let bound = GRunLoop.Timer(interval: limit) { [unowned self] _ in
      timedOut = true
      quit()
    }
    loop.add(bound, forMode: .default)
    runUntilStopped()
    bound.invalidate()
    if timedOut { Issue.record("the scenario did not end", sourceLocation: sourceLocation) }
  }

  /// Runs for about this long.
  package func run(for duration: Duration) {
    let bound = GRunLoop.Timer(interval: duration) { [unowned self] _ in quit() }
    loop.add(bound, forMode: .default)
    runUntilStopped()
    bound.invalidate()
  }

  private func runUntilStopped() {
    switch driver {
    case .swift: loop.run()
    case .glib: g_main_loop_run(mainLoop)
    }
  }

  /// Handles what is ready now, without sleeping.
  package func poll() {
    switch driver {
    case .swift: loop.run(until: .distantPast)
    case .glib: while g_main_context_iteration(loop.context, 0) != 0 {}
    }
  }

  /// Ends the run in progress.
  package func quit() {
    switch driver {
    case .swift: loop.stop()
    case .glib: g_main_loop_quit(mainLoop)
    }
  }
}
