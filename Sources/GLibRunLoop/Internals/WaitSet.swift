import CRunLoopShims
import Glibc

/// What one loop waits for: its wake-up, the running mode's and the common set's descriptors, its clocks and, on the
/// main loop, Dispatch's main queue, all behind one epoll descriptor. GLib polls that one, or our driver does.
///
/// Guarded by the loop's lock, but for `wake`, which any thread may call while the loop lives, and for waiting, taking
/// and setting alarms, which are the loop's thread's.
final class WaitSet {
  enum Tag {
    static let wake: UInt64 = 0
    static let mainQueue: UInt64 = 1
    static let common: UInt64 = 3
    static let host: UInt64 = 4
    /// A clock's tag is this plus its raw value.
    static let clock: UInt64 = 16
    /// From here on: modes.
    static let modes: UInt64 = 256
  }

  /// What the set has reported. A wake-up is no news of itself: whoever wrote it has left some.
  struct News: OptionSet {
    let rawValue: UInt8

    static let mainQueue = News(rawValue: 1)
    static let mode = News(rawValue: 2)
    static let common = News(rawValue: 4)
    static let alarm = News(rawValue: 8)
    /// GLib's own wake-up: news for GLib only.
    static let host = News(rawValue: 16)
  }

  /// A clock's descriptor, which tells when a date has come.
  private struct Alarm {
    var descriptor: CInt = -1
    /// The date that it is set to; nil when it must be set again.
    var date: Int64? = .max
  }

  let epoll: CInt
  private let eventfd: CInt
  private let alarms = UnsafeMutablePointer<Alarm>.allocate(capacity: GRunLoop.Timebase.allCases.count)
  private var isClosed = false
  /// The mode that is heard, and whether the common set and the main queue are.
  @exclusivity(unchecked) private var mode: UInt64 = 0
  @exclusivity(unchecked) private var hearsCommon = true
  /// GLib was woken since it was last asked. Edge-triggered, so that the kernel says it once.
  @exclusivity(unchecked) private(set) var hostIsWoken = false
  /// Something reported that is not heard now.
  @exclusivity(unchecked) private var hasStrays = false

  /// Ends the process if the kernel gives no descriptors for it, as GLib does when a main context cannot be made.
  init() {
    alarms.initialize(repeating: Alarm(), count: GRunLoop.Timebase.allCases.count)
    epoll = grl_epoll_create()
    if epoll < 0 { Self.cannotBeMade(SystemFailure(call: "epoll_create1")) }
    eventfd = grl_eventfd_create()
    if eventfd < 0 { Self.cannotBeMade(SystemFailure(call: "eventfd")) }
    // Edge-triggered and never read: the write is the news, and no call is needed to take it.
    if let failure = add(eventfd, EPOLLIN.rawValue | EPOLLET.rawValue, Tag.wake) { Self.cannotBeMade(failure) }
  }

  deinit {
    close()
    alarms.deallocate()
  }

  /// Gives the descriptors back. The set does nothing after that.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for timebase in GRunLoop.Timebase.allCases {
      let alarm = alarms + Int(timebase.rawValue)
      if alarm.pointee.descriptor >= 0 { grl_timerfd_close(alarm.pointee.descriptor) }
      alarm.pointee.descriptor = -1
    }
    Glibc.close(eventfd)
    Glibc.close(epoll)
  }

  static func cannotBeMade(_ failure: SystemFailure) -> Never { fatalError("a run loop cannot be made: \(failure)") }

  func wake() {
    if grl_eventfd_signal(eventfd) != 0 { SystemFailure(call: "write to an eventfd").ofOwnDescriptor() }
  }

  /// Has a context's own wake-up descriptor end a wait, too. Edge-triggered: GLib reads it.
  func watchHost(_ descriptor: CInt) -> Bool {
    add(descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, Tag.host) == nil
  }

  /// Lets the set report a descriptor. Returns what went wrong.
  func add(_ descriptor: CInt, _ events: UInt32, _ tag: UInt64) -> SystemFailure? {
    if grl_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, events, tag) == 0 { return nil }
    return SystemFailure(call: "epoll_ctl")
  }

  /// Changes what the set reports of a descriptor that it has.
  func change(_ descriptor: CInt, _ events: UInt32, _ tag: UInt64) {
    if isClosed || grl_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, events, tag) == 0 { return }
    SystemFailure(call: "epoll_ctl").ofOwnDescriptor()
  }

  /// Takes a descriptor out that is about to be closed: a forked child may hold its file open.
  func remove(_ descriptor: CInt) { _ = grl_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0) }

  /// Says of which mode's descriptors, and whether of the common set's and of the main queue, there is to be news.
  func listen(to mode: UInt64, common: Bool) { (self.mode, hearsCommon) = (mode, common) }

  /// Whether anything else has reported since the last call of this.
  func takeStrays() -> Bool {
    defer { hasStrays = false }
    return hasStrays
  }

  /// Makes the descriptor that tells when a date of this clock has come. Returns what went wrong.
  func watchClock(_ timebase: GRunLoop.Timebase) -> SystemFailure? {
    let alarm = alarms + Int(timebase.rawValue)
    if alarm.pointee.descriptor >= 0 { return nil }
    let descriptor = grl_timerfd_create(timebase.clock)
    guard descriptor >= 0 else { return SystemFailure(call: "timerfd_create") }
    let tag = Tag.clock + UInt64(timebase.rawValue)
    if let failure = add(descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, tag) {
      grl_timerfd_close(descriptor)
      return failure
    }
    alarm.pointee.descriptor = descriptor
    return nil
  }

  /// Sets a clock's alarm to a date; `.max` takes it away. Setting it to the same date again costs nothing.
  func setAlarm(_ date: Int64, on timebase: GRunLoop.Timebase) {
    let alarm = alarms + Int(timebase.rawValue)
    guard alarm.pointee.date != date, alarm.pointee.descriptor >= 0 else { return }
    // Dates before the clock's zero are due; one nanosecond is the soonest that can be set.
    let moment = date == .max ? 0 : max(1, date)
    if grl_timerfd_arm(alarm.pointee.descriptor, moment) != 0 {
      SystemFailure(call: "timerfd_settime").ofOwnDescriptor()
    }
    alarm.pointee.date = date
  }

  /// Waits until there is something, for so many nanoseconds at most; negative is without end. Takes what is reported:
  /// wake-ups and alarms are so once.
  func wait(_ nanoseconds: Int64, using buffer: EventBuffer) -> News {
    var news = collect(hostIsWoken ? 0 : nanoseconds, using: buffer)
    if hostIsWoken { news.insert(.host) }
    hostIsWoken = false
    return news
  }

  /// Takes what is reported now. That GLib was woken is kept for the next wait.
  func take(using buffer: EventBuffer) -> News {
    let news = collect(0, using: buffer)
    if news.contains(.host) { hostIsWoken = true }
    return news.subtracting(.host)
  }

  /// GLib is about to be asked what it has: what woke it until now is no news.
  func forgetHost() { hostIsWoken = false }

  private func collect(_ nanoseconds: Int64, using buffer: EventBuffer) -> News {
    var news: News = []
    for index in 0..<buffer.wait(epoll, nanoseconds) {
      switch buffer[index].data.u64 {
      case Tag.wake: break
      case mode: news.insert(.mode)
      case Tag.common where hearsCommon: news.insert(.common)
      case Tag.mainQueue where hearsCommon: news.insert(.mainQueue)
      case Tag.host: news.insert(.host)
      case Tag.common, Tag.mainQueue, Tag.modes...: hasStrays = true
      case let tag:
        news.insert(.alarm)
        // It went off, and must be set again.
        alarms[Int(tag - Tag.clock)].date = nil
      }
    }
    return news
  }
}
