import CRunLoopShims
import Glibc

/// What one loop waits for: its wake-up, the running mode's and the common set's descriptors, its clocks and, on the
/// main loop, Dispatch's main queue, all behind one epoll descriptor. GLib polls that one, or our driver does.
///
/// Guarded by the loop's lock, but for `wake`, which any thread may call while the loop lives.
final class WaitSet {
  enum Tag {
    static let wake: UInt64 = 0
    static let mainQueue: UInt64 = 1
    static let mode: UInt64 = 2
    static let common: UInt64 = 3
    /// A clock's tag is this plus its raw value.
    static let clock: UInt64 = 16
  }

  /// What the set has reported. A wake-up is no news of itself: whoever wrote it has left some.
  struct News: OptionSet {
    let rawValue: UInt8

    static let mainQueue = News(rawValue: 1)
    static let mode = News(rawValue: 2)
    static let common = News(rawValue: 4)
    static let alarm = News(rawValue: 8)
  }

  private struct Alarm {
    let descriptor: CInt
    /// The date that it is set to; nil when it must be set again.
    var date: Int64?
  }

  let epoll: CInt
  private let eventfd: CInt
  private var alarms: [GRunLoop.Timebase: Alarm] = [:]
  private var isClosed = false

  init() {
    epoll = grl_epoll_create()
    if epoll < 0 { fatalError("a run loop cannot be made: \(SystemFailure(call: "epoll_create1"))") }
    eventfd = grl_eventfd_create()
    if eventfd < 0 { fatalError("a run loop cannot be made: \(SystemFailure(call: "eventfd"))") }
    // Edge-triggered and never read: the write is the news, and no call is needed to take it.
    _ = control(EPOLL_CTL_ADD, eventfd, EPOLLIN.rawValue | EPOLLET.rawValue, Tag.wake)
  }

  deinit { close() }

  /// Gives the descriptors back. The set does nothing after that.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for alarm in alarms.values { Glibc.close(alarm.descriptor) }
    alarms = [:]
    Glibc.close(eventfd)
    Glibc.close(epoll)
  }

  func wake() { grl_eventfd_signal(eventfd) }

  func control(_ operation: CInt, _ descriptor: CInt, _ events: UInt32, _ tag: UInt64) -> Bool {
    grl_epoll_control(epoll, operation, descriptor, events, tag) == 0
  }

  /// Makes the descriptor that tells when a date of this clock has come. Returns what went wrong.
  func watchClock(_ timebase: GRunLoop.Timebase) -> String? {
    if alarms[timebase] != nil { return nil }
    let descriptor = grl_timerfd_create(timebase.clock)
    guard descriptor >= 0 else { return SystemFailure(call: "timerfd_create").description }
    guard
      control(
        EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, Tag.clock + UInt64(timebase.rawValue))
    else {
      let failure = SystemFailure(call: "epoll_ctl")
      Glibc.close(descriptor)
      return failure.description
    }
    alarms[timebase] = Alarm(descriptor: descriptor, date: .max)
    return nil
  }

  /// Sets a clock's alarm to a date; `.max` takes it away. Setting it to the same date again costs nothing.
  func setAlarm(_ date: Int64, on timebase: GRunLoop.Timebase) {
    guard let alarm = alarms[timebase], alarm.date != date else { return }
    // Dates before the clock's zero are due; one nanosecond is the soonest that can be set.
    let moment = date == .max ? 0 : max(1, date)
    _ = grl_timerfd_arm(alarm.descriptor, moment, timebase == .wall && date != .max)
    alarms[timebase]?.date = date
  }

  /// Takes what is reported now. Wake-ups, alarms and the main queue are reported once.
  func take(using buffer: EventBuffer) -> News {
    var news: News = []
    for index in 0..<buffer.poll(epoll) {
      switch buffer.tags[index] {
      case Tag.wake: break
      case Tag.mainQueue: news.insert(.mainQueue)
      case Tag.mode: news.insert(.mode)
      case Tag.common: news.insert(.common)
      case let tag:
        news.insert(.alarm)
        // It went off, or its clock was set: either way it must be set again.
        if let timebase = GRunLoop.Timebase(rawValue: UInt8(tag - Tag.clock)) { alarms[timebase]?.date = nil }
      }
    }
    return news
  }
}
