import BenchSupport
import CGLib
import GLibRunLoop

extension Bench {
  /// A detached task calls a function of the main actor's, M times, one after the other: there and back each time.
  @MainActor func hop(_ total: UInt64) -> (UInt64, String) {
    target = total
    nonisolated(unsafe) let took = UnsafeMutablePointer<Int64>.allocate(capacity: Int(total))
    nonisolated(unsafe) let mainLoop = g_main_loop_new(nil, 0)
    let loop = GRunLoop.main
    Task.detached { [self] in
      begin()
      while !isOver(count) {
        let start = peer_now()
        await visit()
        took[Int(count)] = Int64(peer_now() - start)
        count += 1
      }
      peer_end(clock)
      if driver == .swift { loop.stop() } else { g_main_loop_quit(mainLoop) }
    }
    switch driver {
    case .swift: loop.run()
    case .glib: g_main_loop_run(mainLoop)
    }
    return (count, text { peer_percentiles(took, Int(count), "hop", $0, $1) })
  }

  @MainActor private func visit() { visits += 1 }
}
