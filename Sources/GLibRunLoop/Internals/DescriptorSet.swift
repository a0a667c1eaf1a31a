import CRunLoopShims
import Glibc

/// The descriptors watched in one mode: an epoll set, and for each descriptor the sources that want it.
///
/// Guarded by the loop's lock. The kernel's table and ours are changed together under it.
final class DescriptorSet {
  private final class Watch {
    let descriptor: CInt
    /// Held by the mode's table of items, which lets go of them after they have left the set.
    @exclusivity(unchecked) var sources: [Unmanaged<GRunLoop.DescriptorSource>] = []
    /// What the kernel is watching for; nil while it is not asked.
    @exclusivity(unchecked) var registered: UInt32?
    /// Regular files cannot be in an epoll set; poll(2) calls them always ready.
    @exclusivity(unchecked) var isFile = false
    /// Its place in the list of all watches; nil once it is none of them any more.
    @exclusivity(unchecked) var index: Int?

    init(descriptor: CInt) { self.descriptor = descriptor }

    var wanted: UInt32? {
      sources.reduce(nil) { union, source in
        source._withUnsafeGuaranteedRef { $0.wanted }.map { $0 | (union ?? 0) } ?? union
      }
    }

    func remove(_ source: GRunLoop.DescriptorSource) -> Bool {
      guard let index = sources.firstIndex(where: { $0.toOpaque() == Unmanaged.passUnretained(source).toOpaque() })
      else { return false }
      sources.remove(at: index)
      return true
    }

    var tag: UInt64 { UInt64(UInt32(bitPattern: descriptor)) }
  }

  /// -1 until a descriptor is to be watched, and after the kernel refused a new one.
  @exclusivity(unchecked) private var epoll: CInt = -1
  /// By descriptor: small whole numbers, which the kernel gives out from zero. Held by `all`.
  @exclusivity(unchecked) private var watches = Vector<Unmanaged<Watch>?>()
  @exclusivity(unchecked) private var all: [Watch] = []
  @exclusivity(unchecked) private var files: [Watch] = []
  /// Watches whose descriptor was found closed, to be reported.
  @exclusivity(unchecked) private var closed: [Watch] = []
  @exclusivity(unchecked) private var nextToVerify = 0
  @exclusivity(unchecked) private var nextToAsk = 0
  /// How many have still to be looked at, since a call-back may have closed any of them.
  @exclusivity(unchecked) private var unverified = 0
  /// Whether some were looked at since one was added, or a run in the mode began.
  @exclusivity(unchecked) private(set) var isVerified = true
  private let waitSet: WaitSet
  private let tag: UInt64
  private let report: (String) -> Void
  /// Whether the loop's wait set watches this set now.
  private var isAttached = false

  /// - Parameter report: Takes what must be said of descriptors that cannot be watched any more.
  init(waitSet: WaitSet, tag: UInt64, report: @escaping (String) -> Void) {
    self.waitSet = waitSet
    self.tag = tag
    self.report = report
  }

  deinit { if epoll >= 0 { Glibc.close(epoll) } }

  /// No descriptor is to be watched any more.
  func close() {
    if epoll < 0 { return }
    waitSet.remove(epoll)
    Glibc.close(epoll)
    epoll = -1
  }

  /// Whether there are descriptors that a call-back may have closed, and that were not looked at since.
  var hasUnverified: Bool { unverified > 0 }

  /// Whether there is something to report that the kernel will not tell of.
  var isAlwaysReady: Bool { !closed.isEmpty || (!files.isEmpty && files.contains { $0.wanted != nil }) }

  /// Whether the loop's wait set is to report this set. It is a member all the time, with or without events: adding an
  /// epoll set to another one makes the kernel walk through all that is in it, changing its events does not.
  func attach(_ on: Bool) {
    isVerified = false
    guard on != isAttached else { return }
    isAttached = on
    if epoll >= 0 { waitSet.change(epoll, on ? EPOLLIN.rawValue : 0, tag) }
  }

  /// Asks the kernel for a set and makes it a member of the loop's, if there is none.
  private func open() -> SystemFailure? {
    if epoll >= 0 { return nil }
    epoll = grl_epoll_create()
    if epoll < 0 { return SystemFailure(call: "epoll_create1") }
    guard let failure = waitSet.add(epoll, isAttached ? EPOLLIN.rawValue : 0, tag) else { return nil }
    Glibc.close(epoll)
    epoll = -1
    return failure
  }

  // MARK: Sources come and go

  /// Returns what is wrong if the descriptor cannot be watched.
  func add(_ source: GRunLoop.DescriptorSource) -> String? {
    let descriptor = source.fileDescriptor
    if descriptor < 0 { return "descriptor \(descriptor) is not one" }
    if let failure = open() { return failure.description }
    if let watch = watch(descriptor), isStale(watch) { markClosed(watch) }
    let watch = watch(descriptor) ?? Watch(descriptor: descriptor)
    watch.sources.append(.passUnretained(source))
    // Most often the kernel watches for that already; asking all of its sources anew would cost their number.
    if let registered = watch.registered, let wanted = source.wanted, wanted & ~registered == 0 { return nil }
    if let error = update(watch) {
      watch.sources.removeLast()
      return error.description
    }
    if watch.sources.count == 1 { insert(watch) }
    isVerified = false
    return nil
  }

  func remove(_ source: GRunLoop.DescriptorSource) {
    guard let watch = watch(source.fileDescriptor), watch.remove(source) else {
      for watch in closed where watch.remove(source) {}
      closed.removeAll { $0.sources.isEmpty }
      return
    }
    if !watch.sources.isEmpty { return refresh(source.fileDescriptor) }
    if forget(watch) { unregister(watch) }
  }

  /// Asks the kernel anew for what a descriptor's sources want.
  func refresh(_ descriptor: CInt) {
    if let watch = watch(descriptor), let failure = update(watch) { drop(watch, failure) }
  }

  private func watch(_ descriptor: CInt) -> Watch? {
    let index = Int(descriptor)
    return index < watches.count ? watches[index]?.takeUnretainedValue() : nil
  }

  private func insert(_ watch: Watch) {
    let index = Int(watch.descriptor)
    while watches.count <= index { watches.append(nil) }
    watches[index] = .passUnretained(watch)
    watch.index = all.count
    all.append(watch)
  }

  /// False if that was done before: to look at one watch may show that others are closed, too.
  private func forget(_ watch: Watch) -> Bool {
    guard let index = watch.index else { return false }
    watch.index = nil
    watches[Int(watch.descriptor)] = nil
    if watch.isFile { files.removeAll { $0 === watch } }
    let last = all.removeLast()
    if last !== watch {
      all[index] = last
      last.index = index
    }
    return true
  }

  // MARK: The kernel's table

  private func update(_ watch: Watch) -> SystemFailure? {
    let wanted = watch.wanted
    if watch.isFile || wanted == watch.registered { return nil }
    guard let wanted else {
      unregister(watch)
      return nil
    }
    let operation = watch.registered == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    if grl_epoll_control(epoll, operation, watch.descriptor, wanted, watch.tag) == 0 {
      watch.registered = wanted
      return nil
    }
    guard errno == EPERM else { return SystemFailure(call: "epoll_ctl on descriptor \(watch.descriptor)") }
    watch.isFile = true
    files.append(watch)
    return nil
  }

  private func unregister(_ watch: Watch) {
    guard watch.registered != nil else { return }
    watch.registered = nil
    if grl_epoll_control(epoll, EPOLL_CTL_DEL, watch.descriptor, 0, 0) < 0 { rebuild() }
  }

  /// A closed descriptor whose file lives on under another number cannot be taken out of an epoll set, and would
  /// fire for ever (epoll(7), "Will closing a file descriptor cause it to be removed"). A new set has no such guest.
  private func rebuild() {
    // The old one first, whose descriptor the new one may need.
    waitSet.remove(epoll)
    Glibc.close(epoll)
    epoll = -1
    let failure = open()
    for watch in all where watch.registered != nil || failure != nil {
      watch.registered = nil
      if let failure = failure ?? update(watch) { drop(watch, failure) }
    }
  }

  // MARK: Closed descriptors

  /// The descriptor cannot be watched any more. Its sources are told the same as if it were closed; if it is open, the
  /// reason must be said, too.
  private func drop(_ watch: Watch, _ failure: SystemFailure) {
    if watch.index == nil { return }
    if failure.code != EBADF && failure.code != ENOENT {
      report("descriptor \(watch.descriptor) is not watched any more, its sources are invalid: \(failure)")
    }
    markClosed(watch)
  }

  private func markClosed(_ watch: Watch) {
    guard forget(watch) else { return }
    closed.append(watch)
    unregister(watch)
  }

  /// Whether the number does not stand any more for the file that the kernel was asked to watch: it was closed, and
  /// perhaps given to another file. An epoll set knows its files by number and file.
  private func isStale(_ watch: Watch) -> Bool {
    if let registered = watch.registered {
      return grl_epoll_control(epoll, EPOLL_CTL_MOD, watch.descriptor, registered, watch.tag) != 0
    }
    guard watch.isFile else { return fcntl(watch.descriptor, F_GETFD) < 0 }
    if grl_epoll_control(epoll, EPOLL_CTL_ADD, watch.descriptor, 0, 0) == 0 {
      _ = grl_epoll_control(epoll, EPOLL_CTL_DEL, watch.descriptor, 0, 0)
      return true
    }
    return errno != EPERM
  }

  /// Looks whether watched descriptors are still open, some at each call.
  ///
  /// - Parameter hasTurned: Call-backs have come since the last time, each of which may have closed any number.
  func verifySome(hasTurned: Bool) {
    if hasTurned || !isVerified { unverified = all.count }
    isVerified = true
    verify(16, asking: 1)
    unverified = max(0, unverified - 16)
  }

  /// Looks at all of them.
  func verifyAll() {
    unverified = 0
    verify(all.count, asking: 1024)
  }

  /// - Parameters:
  ///   - count: How many to look at. One poll(2) of no duration answers for all of them.
  ///   - questions: How many to ask the set about, by turns, a call each: a number that was closed and given to another
  ///     file looks open.
  private func verify(_ count: Int, asking questions: Int) {
    let some = (0..<min(count, all.count)).map { all[(nextToVerify + $0) % all.count] }
    var polled = some.map { GPollFD(fd: $0.descriptor, events: 0, revents: 0) }
    if !some.isEmpty {
      nextToVerify = (nextToVerify + some.count) % all.count
      if grl_poll(&polled, UInt32(polled.count), 0) > 0 {
        for (watch, entry) in zip(some, polled) where entry.revents & UInt16(POLLNVAL) != 0 { markClosed(watch) }
      }
    }
    for _ in 0..<min(questions, all.count) where !all.isEmpty {
      nextToAsk = (nextToAsk + 1) % all.count
      let watch = all[nextToAsk]
      if isStale(watch) { markClosed(watch) }
    }
  }

  // MARK: What is ready

  /// Appends every source that is ready now, with what it asked for.
  func appendReady(to ready: inout Vector<ReadyDescriptor>, using buffer: EventBuffer) {
    for index in 0..<(epoll < 0 ? 0 : buffer.wait(epoll, 0)) {
      let descriptor = Int(truncatingIfNeeded: buffer[index].data.u64)
      guard descriptor < watches.count, let watch = watches[descriptor] else { continue }
      watch._withUnsafeGuaranteedRef { watch in
        for number in watch.sources.indices { append(watch.sources[number], buffer[index].events, to: &ready) }
      }
    }
    for watch in files {
      for source in watch.sources { append(source, EPOLLIN.rawValue | EPOLLOUT.rawValue, to: &ready) }
    }
    for watch in closed {
      for source in watch.sources { source._withUnsafeGuaranteedRef { ready.append(ReadyDescriptor($0, .invalid)) } }
    }
  }

  @inline(__always)
  private func append(
    _ source: Unmanaged<GRunLoop.DescriptorSource>, _ bits: UInt32, to ready: inout Vector<ReadyDescriptor>
  ) {
    source._withUnsafeGuaranteedRef { source in
      guard let wanted = source.wanted else { return }
      let relevant = bits & (wanted | EPOLLERR.rawValue | EPOLLHUP.rawValue)
      if relevant != 0 { ready.append(ReadyDescriptor(source, .init(epoll: relevant))) }
    }
  }
}

struct ReadyDescriptor: BitwiseCopyable {
  /// Retained until the pass is done with it.
  let source: Unmanaged<GRunLoop.DescriptorSource>
  private let bits: UInt32
  let order: Int
  let sequence: UInt64

  init(_ source: GRunLoop.DescriptorSource, _ events: GRunLoop.DescriptorSource.Events) {
    self.source = .passRetained(source)
    bits = events.rawValue
    order = source.order
    sequence = source.sequence
  }

  var events: GRunLoop.DescriptorSource.Events { .init(rawValue: bits) }

  func precedes(_ other: ReadyDescriptor) -> Bool { (order, sequence) < (other.order, other.sequence) }
}

/// Room for one epoll call's answers, used again and again.
final class EventBuffer {
  private static let capacity = 256
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)

  deinit { events.deallocate() }

  @inline(__always)
  subscript(index: Int) -> epoll_event { events[index] }

  func wait(_ epoll: CInt, _ nanoseconds: Int64) -> Int {
    let count = grl_epoll_wait(epoll, events, CInt(Self.capacity), nanoseconds)
    if count < 0 { SystemFailure(call: "epoll_wait").ofOwnDescriptor() }
    return Int(count)
  }
}

/// A system call that failed: which, and why.
struct SystemFailure: Error, CustomStringConvertible {
  let call: String
  let code = errno

  /// What failed, why, and what to do about it where that is known.
  var description: String { "\(call) failed: \(String(cString: g_strerror(code)))\(advice)" }

  private var advice: String {
    switch code {
    case EMFILE: "; close descriptors, or raise the process's limit (ulimit -n)"
    case ENFILE: "; raise the machine's limit (fs.file-max)"
    case ENOSPC: "; raise the user's limit of watched descriptors (fs.epoll.max_user_watches)"
    default: ""
    }
  }

  /// A call failed that only fails if some other code closed a descriptor of the loop's. Going on would hang, or spin,
  /// or touch a file that is somebody else's now.
  func ofOwnDescriptor() -> Never {
    fatalError("\(self); other code has closed a descriptor of a run loop: look for a close of one that is not its own")
  }
}
