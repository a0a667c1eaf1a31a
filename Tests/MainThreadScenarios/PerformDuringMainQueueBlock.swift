import Dispatch
import GLibRunLoop
import Glibc

/// A block of the main queue's runs a dialog. The queue itself is not re-entered, but the loop's performs are served,
/// and so are those who wait for them.
@MainActor func performDuringMainQueueBlock() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  let isUp = Gate()
  let worker = OtherThread {
    isUp.wait()
    DispatchQueue.main.async { log.append("block") }
    do {
      for _ in 0..<5 { try loop.performAndWait(timeout: .seconds(60)) { log.append("served") } }
    } catch {
      fail("\(error)")
    }
    loop.stop()
  }
  DispatchQueue.main.async {
    MainActor.assumeIsolated {
      let input = GRunLoop.Source { _ in }
      loop.add(input, forMode: .modalPanel)
      loop.perform(inModes: [.modalPanel]) { isUp.open() }
      expectEqual(loop.run(mode: .modalPanel, for: .seconds(100)), .stopped, "the dialog's run")
      input.invalidate()
      log.append("closed")
      DispatchQueue.main.async { MainActor.assumeIsolated { drive.quit() } }
    }
  }
  drive.run()
  worker.join()
  expectEqual(log.entries, Array(repeating: "served", count: 5) + ["closed", "block"])
}
