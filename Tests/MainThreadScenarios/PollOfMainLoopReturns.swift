import Dispatch
import GLibRunLoop

/// A run of the main loop up to now handles what is there and returns, with the main queue idle and busy.
@MainActor func pollOfMainLoopReturns() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: Int.self)
  func poll() {
    for _ in 0..<3 {
      expect(loop.run(mode: .default, before: .now), "the main loop was empty")
      expect(loop.run(mode: .default, before: .now(on: .wall)), "the main loop was empty")
      loop.run(until: .now)
      expectEqual(loop.run(mode: .modalPanel, for: .zero), .timedOut, "a poll in a mode without items")
    }
  }
  poll()
  DispatchQueue.main.async { log.append(1) }
  poll()
  expectEqual(log.entries, [1], "what a poll served")
  drive.perform {
    DispatchQueue.main.async { log.append(2) }
    poll()
    drive.quit()
  }
  drive.run()
  expectEqual(log.entries, [1, 2], "what the polls in a call-back served")
}
