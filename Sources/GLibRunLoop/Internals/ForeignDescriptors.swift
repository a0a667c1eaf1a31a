import CGLib
import CRunLoopShims
import Glibc

/// The descriptors that a context's other sources want polled, in an epoll set, for as long as a host's loop sleeps.
///
/// An epoll set knows files, and poll(2) knows numbers. So each number is shown to the kernel anew before each sleep,
/// and the set is only a bell: what is ready is asked of poll(2) afterwards. For the loop's thread.
final class ForeignDescriptors {
  /// What the set cannot tell of.
  struct Gaps: OptionSet {
    let rawValue: UInt8

    /// Something is ready, as poll(2) has it: a regular file, or a closed descriptor that nobody was told of yet.
    static let ready = Gaps(rawValue: 1)
    /// The kernel refused to watch something: it must be asked for now and then.
    static let unwatched = Gaps(rawValue: 2)
  }

  private enum Standing {
    case watched
    /// epoll refuses regular files; poll(2) calls them always ready.
    case file
    /// The number stands for no file, and nobody was told yet.
    case closed
    /// Its sources have heard of that. Once is enough.
    case toldClosed
    /// It was said why.
    case refused
  }

  private struct Entry {
    var standing = Standing.watched
    /// The look at which it was last wanted.
    var look: UInt64
  }

  /// The set that this one is a member of. -1 once closed.
  private let bell: CInt
  private let tag: UInt64
  /// -1 while the kernel gives none.
  private var epoll: CInt = -1
  private var entries: [CInt: Entry] = [:]
  private var look: UInt64 = 0
  private var mustBeMadeAnew = false
  private var refusalWasSaid = false

  init(in bell: CInt, tag: UInt64) {
    self.bell = bell
    self.tag = tag
  }

  deinit { if epoll >= 0 { close(epoll) } }

  /// Watches these, and nothing else.
  ///
  /// - Parameter isOwn: Whether a descriptor is in the bell already, or is the bell.
  func watch(_ records: UnsafeBufferPointer<GPollFD>, isOwn: (CInt) -> Bool) -> Gaps {
    look += 1
    var gaps = update(records, isOwn: isOwn)
    if entries.contains(where: { $0.value.look != look }) { forgetOthers() }
    if mustBeMadeAnew {
      makeAnew()
      gaps.formUnion(update(records, isOwn: isOwn))
    }
    return gaps
  }

  private func update(_ records: UnsafeBufferPointer<GPollFD>, isOwn: (CInt) -> Bool) -> Gaps {
    var gaps: Gaps = []
    for record in records where !isOwn(record.fd) {
      if epoll < 0, let failure = open() {
        if !refusalWasSaid { diagnose("a host is told of descriptors late: \(failure)") }
        refusalWasSaid = true
        return .unwatched
      }
      refusalWasSaid = false
      let before = entries[record.fd]?.standing
      let standing = standing(of: record, before)
      entries[record.fd] = Entry(standing: standing, look: look)
      switch standing {
      case .watched, .toldClosed: break
      case .file, .closed: gaps.insert(.ready)
      case .refused: gaps.insert(.unwatched)
      }
    }
    return gaps
  }

  /// Shows the kernel a number, whatever it stands for now.
  private func standing(of record: GPollFD, _ before: Standing?) -> Standing {
    let operation = before == .watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
    // The events have the same bits in poll(2) and epoll(7).
    if grl_epoll_control(epoll, operation, record.fd, UInt32(record.events), UInt64(UInt32(bitPattern: record.fd))) == 0
    {
      return .watched
    }
    let failure = SystemFailure(call: "epoll_ctl on descriptor \(record.fd)")
    // The file that the number stood for may live on under another one, and ring for ever.
    if before == .watched { mustBeMadeAnew = true }
    switch failure.code {
    case EBADF: return before == .toldClosed ? .toldClosed : .closed
    case ENOENT: return .watched
    case EPERM: return .file
    default:
      if before != .refused { diagnose("a host is told of a descriptor late: \(failure)") }
      return .refused
    }
  }

  /// Poll has found a number closed. Whether that is to be told: poll(2) says it again each time.
  func tellsClosed(_ descriptor: CInt) -> Bool {
    let before = entries[descriptor]?.standing
    if before == .watched { mustBeMadeAnew = true }
    entries[descriptor] = Entry(standing: .toldClosed, look: look)
    return before != .toldClosed
  }

  private func forgetOthers() {
    for (descriptor, entry) in entries where entry.look != look {
      entries[descriptor] = nil
      guard entry.standing == .watched, epoll >= 0 else { continue }
      if grl_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0) != 0 { mustBeMadeAnew = true }
    }
  }

  private func open() -> SystemFailure? {
    epoll = grl_epoll_create()
    if epoll < 0 { return SystemFailure(call: "epoll_create1") }
    if grl_epoll_control(bell, EPOLL_CTL_ADD, epoll, EPOLLIN.rawValue, tag) == 0 { return nil }
    let failure = SystemFailure(call: "epoll_ctl")
    close(epoll)
    epoll = -1
    return failure
  }

  /// A closed number cannot be taken out of a set, while its file may be there under another number (epoll(7), "Will
  /// closing a file descriptor cause it to be removed"). A new set has no such guest.
  private func makeAnew() {
    mustBeMadeAnew = false
    // The old one first, whose descriptor the new one may need. A forked child may hold its file open.
    _ = grl_epoll_control(bell, EPOLL_CTL_DEL, epoll, 0, 0)
    close(epoll)
    epoll = -1
    for (descriptor, entry) in entries where entry.standing == .watched { entries[descriptor] = nil }
  }
}
