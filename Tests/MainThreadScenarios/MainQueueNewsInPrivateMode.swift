import CGLib
import Dispatch
import GLibRunLoop

/// The main queue has work in the same turn of GLib's in which another source starts a private run: it stays held.
@MainActor func mainQueueNewsInPrivateMode() {
  let drive = MainDrive()
  // Before the loop's own source, so that GLib calls it first.
  g_idle_add_full(
    G_PRIORITY_DEFAULT,
    { _ in
      MainActor.assumeIsolated {
        let timer = GRunLoop.Timer(interval: .milliseconds(20)) { _ in steps.append("timer") }
        GRunLoop.main.add(timer, forMode: "private")
        expectEqual(GRunLoop.main.run(mode: "private", for: .seconds(100)), .finished, "the private run")
        steps.append("back")
      }
      return 0
    }, nil, nil)
  _ = GRunLoop.main
  DispatchQueue.main.async {
    steps.append("block")
    drive.quit()
  }
  drive.run()
  // When Swift drives, the block's turn comes before GLib's.
  if drive.driver == .swift { return expectEqual(steps.filter { $0 != "block" }.count, steps.count - 1, "one block") }
  expectEqual(steps, ["timer", "back", "block"])
}

@MainActor private var steps: [String] = []
