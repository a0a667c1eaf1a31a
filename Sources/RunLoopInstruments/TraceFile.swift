import CRunLoopShims
import GLibRunLoop
import Glibc

/// A file of trace-event JSON: an array of events, one a line.
final class TraceFile: TraceOutput {
  private let path: String
  private var descriptor: CInt
  private var text = TraceText()
  private var hasFailed = false
  private var problem: String?

  init(_ path: String, followsLinks: Bool = true) throws(GRunLoop.InstrumentFailure) {
    let path = Self.expanded(path)
    self.path = path
    // Not truncated before it is known that no other process writes it.
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW), 0o644)
    if descriptor < 0 { throw Self.failure("cannot be opened for writing", path) }
    // From here on `deinit` closes it, after a throw, too: every property is set. Closed here as well, its number might by
    // then be another thread's.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK {
      throw GRunLoop.InstrumentFailure(
        "the trace \"\(path)\" is being written already: use %p in its name, which is the process's number")
    }
    if ftruncate(descriptor, 0) != 0 && errno != EINVAL {
      throw Self.failure("cannot be emptied", path)
    }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

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
    Glibc.close(descriptor)
    descriptor = -1
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
