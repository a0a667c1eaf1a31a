import BenchSupport
import GLibRunLoop
import Glibc

extension Bench {
  /// What each of N items takes that wait on a loop that does not run, in bytes of the heap.
  func memory(_ total: UInt64, _ what: String) -> (UInt64, String) {
    let loop = GRunLoop.current
    let before = peer_heap()
    begin()
    for index in 0..<total {
      switch what {
      case "timer":
        let interval = Duration.milliseconds(PEER_FAR_MS + Int64(index))
        loop.add(GRunLoop.Timer(interval: interval) { [self] _ in countOne() }, forMode: .default)
      case "source": loop.add(GRunLoop.Source { [self] _ in countOne() }, forMode: .default)
      case "closure": loop.perform { self.countOne() }
      default: exit(2)
      }
    }
    peer_end(clock)
    return (total, "\"bytes\":\(Double(peer_heap() - before) / Double(total))")
  }
}
