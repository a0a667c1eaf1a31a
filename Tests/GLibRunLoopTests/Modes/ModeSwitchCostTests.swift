import GLibRunLoop
import Glibc
import Testing

@Suite struct ModeSwitchCostTests {
  enum Load: CaseIterable {
    case sources, timers, descriptors, observers, performs

    /// Descriptors are scarce, and observers are kept in order, so that adding many is not for free.
    var many: Int { self == .descriptors ? 400 : self == .observers ? 2000 : 10_000 }

    func fill(_ mode: GRunLoop.Mode, _ count: Int, _ loop: GRunLoop, _ copies: Copies) {
      for _ in 0..<count {
        switch self {
        case .sources: loop.add(GRunLoop.Source { _ in }, forMode: mode)
        case .timers: loop.add(GRunLoop.Timer(fireDate: .distantFuture) { _ in }, forMode: mode)
        case .descriptors:
          let input = GRunLoop.DescriptorSource(fileDescriptor: copies.make(), events: .readable) { _, _ in }
          loop.add(input, forMode: mode)
        // Of a kind that is not called in a run without sleep.
        case .observers: loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in }, forMode: mode)
        case .performs: loop.perform(inModes: [mode], after: .seconds(3600)) {}
        }
      }
    }
  }

  enum Place: CaseIterable {
    /// The mode that is switched to; the common set, which it belongs to; a mode that never runs.
    case inside, common, aside
  }

  @Test("M9 switching modes costs the same however many items there are", arguments: Load.allCases, Place.allCases)
  func cost(_ load: Load, _ place: Place) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let copies = Copies()
      let mode: GRunLoop.Mode = place == .inside ? "private" : .modalPanel
      loop.add(GRunLoop.Source { _ in }, forMode: mode)
      load.fill(mode, 10, loop, copies)
      let before = Self.least(loop, mode)
      load.fill(place == .inside ? mode : place == .common ? .common : "aside", load.many, loop, copies)
      var after = Self.least(loop, mode)
      // A processor that others use, too, may be slow for longer than all these take; what costs more always does.
      for _ in 0..<100 where after >= before * 3 {
        usleep(100_000)
        after = min(after, Self.least(loop, mode))
      }
      #expect(after < before * 3, "\(load), \(place)")
    }
  }

  /// Into the mode and out again, so many nanoseconds: of the processor's time, the least of many, so that a busy
  /// machine does not count.
  private static func least(_ loop: GRunLoop, _ mode: GRunLoop.Mode) -> Int {
    let times = (0..<201).map { _ in
      let start = processorTime()
      loop.run(mode: mode, for: .zero)
      return processorTime() - start
    }
    return times.min()!
  }

  private static func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Any number of descriptors of one pipe.
  final class Copies {
    private let pipe = BytePipe()
    private var copies: [CInt] = []

    func make() -> CInt {
      copies.append(dup(pipe.readEnd))
      return copies.last!
    }

    deinit { for copy in copies { close(copy) } }
  }
}
