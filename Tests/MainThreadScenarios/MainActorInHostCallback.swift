import CGLib
import Dispatch
import GLibRunLoop

/// A call-back of the host's, a button's say, starts tasks: what they put on the main actor runs, though nothing else
/// happens in the program.
@MainActor func mainActorInHostCallback() {
  _ = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  let note: @MainActor @Sendable (String) -> Void = { name in
    expect(isFirstThread, "\(name) ran on another thread")
    log.append(name)
    if log.count == 4 { drive.quit() }
  }
  click.store {
    Task.detached {
      Task { @MainActor in note("task of the main actor") }
      await MainActor.run { note("MainActor.run") }
      DispatchQueue.main.async { MainActor.assumeIsolated { note("DispatchQueue.main") } }
      await Task { @MainActor in
        try? await Task.sleep(for: .milliseconds(5))
        note("sleep on the main actor")
      }.value
    }
  }
  g_timeout_add(
    5,
    { _ in
      click.run()
      return 0
    }, nil)
  drive.run()
  expectEqual(
    log.entries.sorted(),
    ["DispatchQueue.main", "MainActor.run", "sleep on the main actor", "task of the main actor"], "what ran")
}

private let click = Action()
