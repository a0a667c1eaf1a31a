import CGLib
import CRunLoopShims
import Synchronization

/// Where a loop stands that looks for work for a while before it sleeps.
///
/// The loop's thread begins to look in the hold of the lock that announces the sleep. From then on whoever would write the
/// wake-up, and that is one a sleep, calls it here instead, unless the loop looks no more; then it does write. Both change
/// the state in one step from what it was, so that a call is seen or the write is made. A loop that found something by
/// itself is called in vain until it says under the lock that it is awake. Relaxed: the loop then looks under the lock,
/// which orders all else.
enum Spin: UInt8, AtomicRepresentable {
  case none, looking, called
}

/// What a poll had to say.
typealias Report = (news: WaitSet.News, failure: SystemFailure?)

extension GRunLoop {
  /// Some tenths of a microsecond, as the processor is: reading the clock takes less.
  private static let pausesBetweenReadings = 8
  /// A poll takes a fifth of it.
  private static let timeBetweenPolls: Int64 = 2000

  /// Under the lock, when a sleep has been announced: looks from now on. Returns for how long; 0 is not at all.
  @inline(__always)
  func beginSpin() -> Int64 {
    // A manual clock's time would stand still meanwhile.
    if spinNanoseconds == 0 || manualClock != nil { return 0 }
    spin.store(.looking, ordering: .relaxed)
    return spinNanoseconds
  }

  /// Under the lock, which whoever adds work now takes after this.
  func endSpin() { spin.store(.none, ordering: .relaxed) }

  /// The sleep that was announced, which begins with looking.
  func spinThenSleep(_ activation: Activation, _ count: CInt, _ duration: Int64, spinning time: Int64) -> Report {
    let began = Timebase.monotonic.now
    if let found = look(activation, count, from: began, until: began.addingSaturated(min(time, duration))) {
      return found
    }
    if spin.exchange(.none, ordering: .relaxed) == .called { return ([], nil) }
    let rest = duration == .max ? .max : max(0, duration - (Timebase.monotonic.now - began))
    return poll(activation, count, rest)
  }

  /// Returns what the kernel said, if anything; else when it is time, or when somebody calls.
  ///
  /// It is asked first of all, so that a loop which never comes to sleep asks it in each pass.
  private func look(_ activation: Activation, _ count: CInt, from began: Int64, until end: Int64) -> Report? {
    var (now, nextPoll) = (began, began)
    while true {
      if now >= nextPoll {
        let report = poll(activation, count, 0)
        let isReady = (0..<Int(count)).contains { activation.descriptors[$0].revents != 0 }
        if isReady || !report.news.isEmpty || report.failure != nil || activation.expectation?.isReady ?? false {
          return report
        }
        now = Timebase.monotonic.now
        nextPoll = now + Self.timeBetweenPolls
      }
      if now >= end { return nil }
      for _ in 0..<Self.pausesBetweenReadings {
        if spin.load(ordering: .relaxed) == .called { return nil }
        grl_pause()
      }
      now = Timebase.monotonic.now
    }
  }
}
