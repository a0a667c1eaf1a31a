import Dispatch
import GLibRunLoop

/// The main queue is served in the common modes, those that joined the set later included, and held in all others.
@MainActor func mainQueueInModes() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  loop.addCommonMode("joined")
  drive.perform {
    for mode: GRunLoop.Mode in [.default, .modalPanel, .eventTracking, "joined"] {
      DispatchQueue.main.async {
        log.append("block in \(mode)")
        loop.stop()
      }
      expectEqual(loop.run(mode: mode, for: .seconds(100)), .stopped, "the run in \(mode)")
    }
    for mode: GRunLoop.Mode in ["private", .connectionReply] {
      DispatchQueue.main.async { log.append("block after \(mode)") }
      Task { log.append("task after \(mode)") }
      let timer = GRunLoop.Timer(interval: .milliseconds(30)) { _ in log.append("timer in \(mode)") }
      loop.add(timer, forMode: mode)
      expectEqual(loop.run(mode: mode, for: .seconds(100)), .finished, "the run in \(mode)")
    }
    log.append("back")
    drive.quitWhen { log.count == 11 }
  }
  drive.run()
  expectEqual(
    log.entries,
    [
      "block in default", "block in modalPanel", "block in eventTracking", "block in joined", "timer in private",
      "timer in connectionReply", "back", "block after private", "task after private", "block after connectionReply",
      "task after connectionReply",
    ])
}
