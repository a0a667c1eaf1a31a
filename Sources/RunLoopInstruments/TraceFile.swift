import CRunLoopShims
import GLibRunLoop
import Glibc

/// A file of trace-event JSON: an array of events, one a line.
final class TraceFile: TraceOutput {
  private let path: String
  private var descriptor: CInt
  private var identity: Identity?
  private var text = TraceText()
  private var hasFailed = false
  private var problem: String?

  init(_ path: String, followsLinks: Bool = true) throws(GRunLoop.InstrumentFailure) {
    let path = Self.expanded(path)
    self.path = path
    // Looked at before it is opened: to close it again would give up the lock of the trace that writes it.
    if let known = Self.identity(of: path), Self.beingWritten.withLock({ $0[known] != nil }) {
      throw Self.isWritten(path)
    }
    // Not truncated before it is known that no other process writes it.
    // Nor does it wait here for who reads a named pipe.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
    descriptor = open(path, flags, 0o644)
    if descriptor < 0 { throw Self.failure("cannot be opened for writing", path) }
    // From here on `deinit` closes it, after a throw, too: every property is set. Closed here as well, its number might by
    // then be another thread's.
    guard Self.lock(descriptor) else { throw Self.isWritten(path) }
    _ = fcntl(descriptor, F_SETFL, 0)
    try claim()
    if ftruncate(descriptor, 0) != 0 && errno != EINVAL {
      throw Self.failure("cannot be emptied", path)
    }
  }

  private func claim() throws(GRunLoop.InstrumentFailure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    let identity = Identity(status)
    let isOurs = Self.beingWritten.withLock { files in
      if files[identity] == nil {
        files[identity] = []
        return true
      }
      // Another thread has come first just now. It closes this descriptor together with its own.
      files[identity]!.append(descriptor)
      return false
    }
    if isOurs {
      self.identity = identity
    } else {
      descriptor = -1
      throw Self.isWritten(path)
    }
  }

  deinit { shut() }

  private func shut() {
    // First the file, then the word of it: the next trace of this process is not to lose its lock by this close.
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    guard let identity else { return }
    Self.beingWritten.withLock { files in
      for other in files.removeValue(forKey: identity) ?? [] { Glibc.close(other) }
    }
    self.identity = nil
  }

  private struct Identity: Hashable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// The files that this process writes, for which the kernel's lock does not stand in its own way; each with further
  /// descriptors of it, whose close would give up that lock.
  private static let beingWritten = PerProcess<[Identity: [CInt]]>([:]) { _ in [:] }

  /// False if another process writes the file. The lock is this process's alone: no child holds it on. (fcntl(2))
  private static func lock(_ descriptor: CInt) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // Where a file cannot be locked, it is written all the same.
    return fcntl(descriptor, F_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES)
  }

  private static func isWritten(_ path: String) -> GRunLoop.InstrumentFailure {
    GRunLoop.InstrumentFailure(
      "the trace \"\(path)\" is being written already: use %p in its name, which is the process's number")
  }

  private static func expanded(_ path: String) -> String {
    path.split(separator: "%p", omittingEmptySubsequences: false).joined(separator: "\(getpid())")
  }

  private static func failure(_ what: String, _ path: String) -> GRunLoop.InstrumentFailure {
    GRunLoop.InstrumentFailure("the trace \"\(path)\" \(what): \(String(cString: strerror(errno)))")
  }

  func append(_ records: [Record]) {
    for record in records { text.append(record) }
    put(text.take())
  }

  func close() {
    put(text.end())
    shut()
  }

  func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }

  private func put(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty && !hasFailed {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        hasFailed = true
        problem = "\(Self.failure("is not complete", path))"
      }
    }
  }
}
