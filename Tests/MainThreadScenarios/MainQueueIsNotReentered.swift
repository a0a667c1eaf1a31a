import CGLib
import Dispatch
import GLibRunLoop

/// Inside a block of the main queue no other one runs, whatever runs the loop there; the loop's own items do.
@MainActor func mainQueueIsNotReentered() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  DispatchQueue.main.async {
    MainActor.assumeIsolated {
      DispatchQueue.main.async {
        log.append("second block")
        drive.quit()
      }
      for nesting in Nesting.allCases {
        Task { log.append("task of \(nesting)") }
        let timer = GRunLoop.Timer(interval: .milliseconds(20)) { _ in
          log.append("timer in \(nesting)")
          nesting.stop()
        }
        loop.add(timer, forMode: nesting.mode)
        nesting.run()
      }
      log.append("first block ends")
    }
  }
  drive.run()
  expectEqual(
    log.entries.prefix(5),
    [
      "timer in defaultMode", "timer in modalPanel", "timer in privateMode", "timer in mainLoop", "first block ends",
    ])
  expect(log.entries.contains("second block"), "the second block never ran")
}

private let nestedLoop = NestedLoop()

private struct NestedLoop: @unchecked Sendable {
  // Used on the main thread only.
  let pointer = g_main_loop_new(nil, 0)!
}

@MainActor private enum Nesting: CaseIterable {
  case defaultMode, modalPanel, privateMode, mainLoop

  var mode: GRunLoop.Mode {
    switch self {
    case .defaultMode, .mainLoop: .default
    case .modalPanel: .modalPanel
    case .privateMode: "private"
    }
  }

  func run() {
    if self == .mainLoop {
      g_main_loop_run(nestedLoop.pointer)
    } else {
      // It ends by itself: inside a block of the main queue the mode is empty after its one timer (see MainLoopIsNeverEmpty).
      _ = GRunLoop.main.run(mode: mode, for: .seconds(100))
    }
  }

  func stop() { if self == .mainLoop { g_main_loop_quit(nestedLoop.pointer) } }
}
