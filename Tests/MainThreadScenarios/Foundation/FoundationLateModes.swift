import CGLib
import Foundation
import GLibRunLoop
import RunLoopFoundation

/// Modes that join the common set after Foundation's loop is served, of names long and odd. The loop has nothing else
/// to wake for than Foundation's timer.
@MainActor func foundationLateModes() {
  GRunLoop.serveFoundation()
  let loop = GRunLoop.main
  let names = [
    "late", String(repeating: "m", count: 300), String(repeating: "é", count: 5000), "a\u{0}b", "%s%n",
    "{name = default, port set = 0x",
  ]
  for name in names {
    let mode = GRunLoop.Mode(rawValue: name)
    loop.addCommonMode(mode)
    let log = Log(of: String.self)
    let timer = Timer(timeInterval: 0.001, repeats: true) { _ in
      log.append(name)
      if log.count == 3 { GRunLoop.main.stop() }
    }
    RunLoop.main.add(timer, forMode: RunLoop.Mode(mode))
    let anchor = GRunLoop.Source { (_: GRunLoop.Source) in }
    loop.add(anchor, forMode: mode)
    if MainDrive().driver != .swift {
      loop.hostMode = mode
      // The scenario's process is ended if it hangs.
      while log.count < 3 { g_main_context_iteration(loop.context, 1) }
      loop.hostMode = .default
    } else {
      expectEqual(loop.run(mode: mode, for: .seconds(60)), .stopped, "the run in \"\(name.prefix(20))\"")
    }
    expect(log.count >= 3, "\"\(name.prefix(20))\" was served \(log.count) times")
    timer.invalidate()
    anchor.invalidate()
  }
}
