import CGLib
import GLibRunLoop

/// The main loop's thread is the main actor's, also in C call-backs that GLib made and in jobs of the loop as executor.
@MainActor func mainLoopAsExecutor() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  g_idle_add(
    { _ in
      MainActor.preconditionIsolated()
      MainActor.assumeIsolated { visits.append("idle") }
      return 0
    }, nil)
  let pinned = PinnedToMain()
  Task.detached {
    await pinned.visit()
    await Task(executorPreference: loop) {
      expect(isFirstThread, "a task that prefers the main loop is elsewhere")
      await MainActor.run { visits.append("task") }
      expect(isFirstThread, "after an await it is elsewhere")
    }.value
  }
  // GLib's idle call-backs come last.
  drive.quitWhen { visits.count == 3 }
  drive.run()
  expectEqual(visits.sorted(), ["actor", "idle", "task"])
}

@MainActor private var visits: [String] = []

private actor PinnedToMain {
  nonisolated var unownedExecutor: UnownedSerialExecutor { GRunLoop.main.asUnownedSerialExecutor() }

  func visit() async {
    expect(isFirstThread, "an actor that is pinned to the main loop is elsewhere")
    preconditionIsolated()
    await MainActor.run { visits.append("actor") }
    expect(isFirstThread, "after an await it is elsewhere")
  }
}
