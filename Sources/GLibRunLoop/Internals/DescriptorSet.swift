import CRunLoopShims
import Glibc

/// The descriptors watched in one mode: an epoll set, and for each descriptor the sources that want it.
///
/// Guarded by the loop's lock. The kernel's table and ours are changed together under it.
final class DescriptorSet {
  private final class Watch {
    let descriptor: CInt
    var sources: [GRunLoop.DescriptorSource] = []
    /// What the kernel is watching for; nil while it is not asked.
    var registered: UInt32?
    /// Regular files cannot be in an epoll set; poll(2) calls them always ready.
    var isFile = false

    init(descriptor: CInt) { self.descriptor = descriptor }

    var wanted: UInt32? {
      sources.reduce(nil) { union, source in source.wanted.map { $0 | (union ?? 0) } ?? union }
    }
  }

  private(set) var epoll: CInt
  private var watches: [CInt: Watch] = [:]
  private var files: [Watch] = []
  /// Watches whose descriptor was found closed, to be reported.
  private var closed: [Watch] = []
  private var nextToVerify = 0
  private let waitSet: WaitSet
  private let tag: UInt64
  /// Whether the loop's wait set watches this set now.
  private var isAttached = false

  private init(epoll: CInt, waitSet: WaitSet, tag: UInt64) {
    self.epoll = epoll
    self.waitSet = waitSet
    self.tag = tag
  }

  static func make(in waitSet: WaitSet, tag: UInt64) -> Result<DescriptorSet, SystemFailure> {
    let epoll = grl_epoll_create()
    if epoll < 0 { return .failure(SystemFailure(call: "epoll_create1")) }
    return .success(DescriptorSet(epoll: epoll, waitSet: waitSet, tag: tag))
  }

  deinit { close(epoll) }

  /// Whether there is something to report that the kernel will not tell of.
  var isAlwaysReady: Bool { !closed.isEmpty || files.contains { $0.wanted != nil } }

  var isEmpty: Bool { watches.isEmpty && closed.isEmpty }

  func attach(_ on: Bool) {
    guard on != isAttached else { return }
    isAttached = on
    _ = waitSet.control(on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, epoll, on ? EPOLLIN.rawValue : 0, tag)
  }

  /// Returns what is wrong if the descriptor cannot be watched.
  func add(_ source: GRunLoop.DescriptorSource) -> String? {
    let descriptor = source.fileDescriptor
    let watch = watches[descriptor] ?? Watch(descriptor: descriptor)
    watch.sources.append(source)
    guard let error = update(watch) else {
      watches[descriptor] = watch
      return nil
    }
    watch.sources.removeLast()
    return error.description
  }

  func remove(_ source: GRunLoop.DescriptorSource) {
    guard let watch = watches[source.fileDescriptor], let index = watch.sources.firstIndex(where: { $0 === source })
    else {
      for watch in closed { watch.sources.removeAll { $0 === source } }
      closed.removeAll { $0.sources.isEmpty }
      return
    }
    watch.sources.remove(at: index)
    if !watch.sources.isEmpty { return refresh(source.fileDescriptor) }
    watches[watch.descriptor] = nil
    files.removeAll { $0 === watch }
    unregister(watch)
  }

  /// Asks the kernel anew for what a descriptor's sources want.
  func refresh(_ descriptor: CInt) {
    if let watch = watches[descriptor], update(watch) != nil { markClosed(watch) }
  }

  private func update(_ watch: Watch) -> SystemFailure? {
    let wanted = watch.wanted
    if watch.isFile || wanted == watch.registered { return nil }
    guard let wanted else {
      unregister(watch)
      return nil
    }
    let number = UInt64(UInt32(bitPattern: watch.descriptor))
    if watch.registered != nil {
      if grl_epoll_control(epoll, EPOLL_CTL_MOD, watch.descriptor, wanted, number) == 0 {
        watch.registered = wanted
        return nil
      }
      // Gone from the set, so it was closed, and the number may stand for another file by now.
      guard errno == ENOENT else { return SystemFailure(call: "epoll_ctl on descriptor \(watch.descriptor)") }
      let newcomer = watch.sources.removeLast()
      if !watch.sources.isEmpty {
        let old = Watch(descriptor: watch.descriptor)
        old.sources = watch.sources
        closed.append(old)
      }
      watch.sources = [newcomer]
      watch.registered = nil
      return update(watch)
    }
    if grl_epoll_control(epoll, EPOLL_CTL_ADD, watch.descriptor, wanted, number) == 0 {
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
    if grl_epoll_control(epoll, EPOLL_CTL_DEL, watch.descriptor, 0, 0) < 0, errno == EBADF { rebuild() }
  }

  /// A closed descriptor whose file lives on under another number cannot be taken out of an epoll set, and would
  /// fire for ever (epoll(7), "Will closing a file descriptor cause it to be removed"). A new set has no such guest.
  private func rebuild() {
    let fresh = grl_epoll_create()
    guard fresh >= 0 else {
      return diagnose("a closed descriptor cannot be dropped: \(SystemFailure(call: "epoll_create1"))")
    }
    let wasAttached = isAttached
    attach(false)
    close(epoll)
    epoll = fresh
    for watch in watches.values where watch.registered != nil {
      watch.registered = nil
      if update(watch) != nil { markClosed(watch) }
    }
    attach(wasAttached)
  }

  private func markClosed(_ watch: Watch) {
    watches[watch.descriptor] = nil
    files.removeAll { $0 === watch }
    closed.append(watch)
  }

  /// Looks whether watched descriptors are still open, some at each call: epoll forgets a closed one in silence.
  /// One poll(2) of no duration answers for all of them.
  func verify() {
    guard !watches.isEmpty else { return }
    let limit = 32
    var polled: [GPollFD] = []
    polled.reserveCapacity(min(limit, watches.count))
    let keys = watches.count <= limit ? Array(watches.keys) : someKeys(limit)
    for key in keys { polled.append(GPollFD(fd: key, events: 0, revents: 0)) }
    guard grl_poll(&polled, UInt32(polled.count), 0) > 0 else { return }
    for entry in polled where entry.revents & UInt16(POLLNVAL) != 0 {
      guard let watch = watches[entry.fd] else { continue }
      markClosed(watch)
      unregister(watch)
    }
  }

  private func someKeys(_ limit: Int) -> [CInt] {
    if nextToVerify >= watches.count { nextToVerify = 0 }
    let keys = Array(watches.keys.dropFirst(nextToVerify).prefix(limit))
    nextToVerify += limit
    return keys
  }

  /// Appends every source that is ready now, with what it asked for.
  func appendReady(to ready: inout [ReadyDescriptor], using buffer: EventBuffer) {
    let count = buffer.poll(epoll)
    for index in 0..<count {
      let bits = buffer.events[index]
      guard let watch = watches[CInt(bitPattern: UInt32(truncatingIfNeeded: buffer.tags[index]))] else { continue }
      for source in watch.sources { append(source, bits, to: &ready) }
    }
    for watch in files {
      for source in watch.sources { append(source, EPOLLIN.rawValue | EPOLLOUT.rawValue, to: &ready) }
    }
    for watch in closed {
      for source in watch.sources { ready.append(ReadyDescriptor(source: source, events: .invalid)) }
    }
  }

  private func append(_ source: GRunLoop.DescriptorSource, _ bits: UInt32, to ready: inout [ReadyDescriptor]) {
    guard let wanted = source.wanted else { return }
    let always = EPOLLERR.rawValue | EPOLLHUP.rawValue
    let relevant = bits & (wanted | always)
    if relevant != 0 { ready.append(ReadyDescriptor(source: source, events: .init(epoll: relevant))) }
  }
}

struct ReadyDescriptor {
  let source: GRunLoop.DescriptorSource
  let events: GRunLoop.DescriptorSource.Events
}

/// Room for one epoll call's answers, used again and again.
final class EventBuffer {
  static let capacity = 256
  let tags = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
  let events = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)

  deinit {
    tags.deallocate()
    events.deallocate()
  }

  func poll(_ epoll: CInt) -> Int {
    max(0, Int(grl_epoll_poll(epoll, tags, events, CInt(Self.capacity))))
  }
}

/// A system call that failed: which, and why.
struct SystemFailure: Error, CustomStringConvertible {
  let call: String
  let code = errno

  var description: String { "\(call) failed: \(String(cString: g_strerror(code)))" }
}
