import Dispatch
import GLibRunLoop

/// When GLib drives in a mode that is not common, the main queue is held until the mode changes.
@MainActor func hostModeHoldsMainQueue() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  loop.hostMode = "quiet"
  DispatchQueue.main.async {
    log.append("block")
    drive.quit()
  }
  let timer = GRunLoop.Timer(interval: .milliseconds(20)) { _ in
    log.append("timer")
    loop.hostMode = .default
  }
  loop.add(timer, forMode: "quiet")
  drive.run()
  expectEqual(log.entries, ["timer", "block"])
}
