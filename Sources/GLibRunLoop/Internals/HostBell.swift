import CGLib
import CRunLoopShims
import Glibc

/// What a host polls to learn when to iterate the loop's context: one epoll descriptor, which is readable while there
/// is something to do.
///
/// It holds the loop's wait set, what GLib would poll beside it, and a clock for GLib's time-outs. All that is right as
/// of the last `settle`; whatever disturbs it rings the bell until the next one. For the loop's thread.
final class HostBell {
  private enum Tag {
    static let waitSet: UInt64 = 0
    static let clapper: UInt64 = 1
    static let clock: UInt64 = 2
    static let foreign: UInt64 = 3
  }

  /// How long what the kernel does not watch waits at most.
  private static let longestUnwatched: Int64 = 10_000_000

  /// What the host polls; -1 once closed.
  private(set) var descriptor: CInt = -1
  /// Always readable: the set watches it while the bell is to ring whatever the others say.
  private var clapper: CInt = -1
  private var isRinging = true
  private var clock: CInt = -1
  /// What the clock is set to.
  private var alarm = Int64.max
  private var foreign: ForeignDescriptors?
  private let waitSet: CInt
  private let context: OpaquePointer
  private var isAcquired = false
  private var witness: Witness?
  /// The last poll failed.
  private var pollFails = false
  /// In a forked child: it was said that the loop is not its own.
  var forkWasSaid = false
  /// Waiting observers are being called.
  var isAnnouncing = false
  private var records = UnsafeMutableBufferPointer<GPollFD>.allocate(capacity: 8)

  /// Makes the bell, ringing, and acquires the loop's context for this thread: GLib wakes a context for a source that
  /// another thread attaches only while somebody has acquired it.
  init(for loop: GRunLoop) throws {
    (context, waitSet) = (loop.context, loop.waitSet.epoll)
    descriptor = grl_epoll_create()
    if descriptor < 0 { throw SystemFailure(call: "epoll_create1") }
    clapper = grl_eventfd_create()
    if clapper < 0 { throw SystemFailure(call: "eventfd") }
    _ = grl_eventfd_signal(clapper)
    clock = grl_timerfd_create(CLOCK_MONOTONIC)
    if clock < 0 { throw SystemFailure(call: "timerfd_create") }
    Refusal.sayNew()
    for (member, tag) in [(waitSet, Tag.waitSet), (clapper, Tag.clapper), (clock, Tag.clock)]
    where grl_epoll_control(descriptor, EPOLL_CTL_ADD, member, EPOLLIN.rawValue, tag) != 0 {
      throw SystemFailure(call: "epoll_ctl")
    }
    isAcquired = g_main_context_acquire(context) != 0
    if !isAcquired { throw GRunLoop.Failure.wrongThread }
    foreign = ForeignDescriptors(in: descriptor, tag: Tag.foreign)
    witness = Witness(for: loop)
    witness?.attach(to: context)
  }

  deinit {
    close()
    records.deallocate()
  }

  /// What was prepared is being checked, without a poll.
  private(set) var isSettling = false
  /// Its host tells the observers of sleeps itself, before it dispatches what is found.
  private(set) var isLooking = false

  var isClosed: Bool { descriptor < 0 }

  /// Gives everything back: the loop ends. Once, while the context is there.
  func close() {
    if isAcquired && witness?.hasEnded != true { g_main_context_release(context) }
    isAcquired = false
    witness?.destroy()
    witness = nil
    foreign = nil
    for own in [descriptor, clapper] where own >= 0 { Glibc.close(own) }
    if clock >= 0 { grl_timerfd_close(clock) }
    (descriptor, clapper, clock) = (-1, -1, -1)
  }

  // MARK: The turn

  /// GLib's steps up to check, without waiting. True if a source is ready.
  func look() -> Bool {
    isLooking = true
    defer { isLooking = false }
    let (priority, _, count) = ask()
    let poll = g_main_context_get_poll_func(context) ?? g_poll
    let failed = poll(records.baseAddress, UInt32(count), 0) < 0
    if failed && !pollFails {
      diagnose("GLib's descriptors are not watched for now: \(SystemFailure(call: "poll of \(count) descriptors"))")
    }
    pollFails = failed
    for index in 0..<count { correct(&records[index]) }
    return g_main_context_check(context, priority, records.baseAddress, CInt(count)) != 0
  }

  /// What poll(2) said, as far as it is news.
  private func correct(_ record: inout GPollFD) {
    if record.fd == waitSet {
      // Out of memory, or more descriptors than the process may open: own work goes on.
      if pollFails { record.revents = UInt16(G_IO_IN.rawValue) }
    } else if record.fd == descriptor {
      // The context polls its own bell, as Qt does where it lives in GLib: this turn is the answer.
      record.revents = 0
    } else if record.revents & UInt16(G_IO_NVAL.rawValue) != 0, foreign?.tellsClosed(record.fd) == false {
      record.revents = 0
    }
  }

  private func ask() -> (priority: CInt, timeout: CInt, count: Int) {
    var (priority, timeout): (CInt, CInt) = (0, -1)
    g_main_context_prepare(context, &priority)
    while true {
      let count = g_main_context_query(context, priority, &timeout, records.baseAddress, CInt(records.count))
      if count <= records.count { return (priority, timeout, Int(count)) }
      records.deallocate()
      records = .allocate(capacity: Int(count) * 2)
    }
  }

  /// The host is about to poll: has the descriptor tell of all that would end GLib's own poll.
  func settle() {
    let (priority, timeout, count) = ask()
    let isReady = check(priority, count)
    // There is work already, and not all descriptors were listed.
    if timeout == 0 || isReady { return ring() }
    // What a poll would not find must not ring.
    let listed = UnsafeBufferPointer(rebasing: records[..<(pollFails ? 0 : count)])
    guard var gaps = foreign?.watch(listed, isOwn: { $0 == waitSet || $0 == descriptor }) else { return }
    if pollFails { gaps = .unwatched }
    if gaps.contains(.ready) { return ring() }
    var rest = timeout < 0 ? Int64.max : Int64(timeout) * 1_000_000
    if gaps.contains(.unwatched) { rest = min(rest, Self.longestUnwatched) }
    setAlarm(rest == .max ? .max : grl_now(CLOCK_MONOTONIC) + rest)
    if isRinging { setClapper(0) }
    isRinging = false
  }

  /// Before the host has control again all that was prepared is checked, as GLib's protocol wants it: GDK's source for
  /// Wayland, for one, holds a read back in between. The loop's own sources stay as they are when the host polls.
  private func check(_ priority: CInt, _ count: Int) -> Bool {
    (isSettling, isLooking) = (true, true)
    defer { (isSettling, isLooking) = (false, false) }
    for index in 0..<count { records[index].revents = 0 }
    return g_main_context_check(context, priority, records.baseAddress, CInt(count)) != 0
  }

  /// Something is not as it was when the host began to poll: it must iterate.
  func ring() {
    if isRinging || isClosed { return }
    setClapper(EPOLLIN.rawValue)
    isRinging = true
  }

  private func setClapper(_ events: UInt32) {
    if grl_epoll_control(descriptor, EPOLL_CTL_MOD, clapper, events, Tag.clapper) != 0 {
      SystemFailure(call: "epoll_ctl").ofOwnDescriptor()
    }
  }

  /// GLib tells whole milliseconds from now on, rounded up, so that one time-out has another date at each look. A date
  /// within the last one will do as well, and the call is dear.
  private func setAlarm(_ date: Int64) {
    if date == alarm || (date != .max && alarm <= date && alarm > date - 1_000_000) { return }
    if grl_timerfd_arm(clock, date == .max ? 0 : date) != 0 {
      SystemFailure(call: "timerfd_settime").ofOwnDescriptor()
    }
    alarm = date
  }
}

/// Sees each turn of the context, whoever iterates it: what that leaves behind the host is to look at.
private final class Witness: HostSource {
  private unowned let loop: GRunLoop
  /// The context is going, and with it who has acquired it.
  private(set) var hasEnded = false

  init(for loop: GRunLoop) {
    self.loop = loop
    // Before all others, so that it is asked in each turn.
    super.init(name: "GRunLoop host descriptor", priority: CInt.min)
  }

  override func check() -> Bool {
    if !loop.isForked, let bell = loop.bell, !bell.isSettling { bell.ring() }
    return false
  }

  override func didEnd() { hasEnded = true }
}
