import CRunLoopShims
import Glibc

/// A file of trace-event JSON: an array of events, one a line.
final class TraceFile: @unchecked Sendable {
  // Invariant for @unchecked: what changes is guarded by `lock`.

  /// Raised when there is something to write.
  let semaphore = grl_semaphore_make()!
  private let lock = Lock()
  private let path: String
  private var descriptor: CInt
  private var text = TraceText()
  private var hasFailed = false

  init(_ path: String) throws(GRunLoop.InstrumentFailure) {
    let path = Self.expanded(path)
    self.path = path
    // Not truncated before it is known that no other process writes it.
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw Self.failure("cannot be opened for writing", path) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK {
      Glibc.close(descriptor)
      throw GRunLoop.InstrumentFailure(
        "the trace \"\(path)\" is being written already: use %p in its name, which is the process's number")
    }
    if ftruncate(descriptor, 0) != 0 && errno != EINVAL {
      defer { Glibc.close(descriptor) }
      throw Self.failure("cannot be emptied", path)
    }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    grl_semaphore_free(semaphore)
  }

  private static func expanded(_ path: String) -> String {
    path.split(separator: "%p", omittingEmptySubsequences: false).joined(separator: "\(getpid())")
  }

  private static func failure(_ what: String, _ path: String) -> GRunLoop.InstrumentFailure {
    GRunLoop.InstrumentFailure("the trace \"\(path)\" \(what): \(String(cString: strerror(errno)))")
  }

  // MARK: As it comes

  /// Half a second is what a killed process loses at most.
  private static let pauseLength: Int64 = 500_000_000

  func ask() { grl_semaphore_signal(semaphore) }

  /// Lets some more come before they are written. A new request ends it: then there are many.
  func pause() -> Bool { grl_semaphore_wait(semaphore, Self.pauseLength) }

  /// Writes what waits. False once the file is complete.
  func drain(_ ring: TraceRing) -> Bool {
    lock.withLock {
      if descriptor < 0 { return false }
      while true {
        let (records, lost) = ring.take(upTo: 4096)
        if lost > 0 {
          append([Record(kind: .lost, detail: lost, thread: grl_thread_id(), start: grl_now(CLOCK_MONOTONIC))])
        }
        if records.isEmpty { return true }
        append(records)
      }
    }
  }

  /// Writes what is left, and the end.
  func finish(_ ring: TraceRing) {
    _ = drain(ring)
    close()
    // Its thread looks, and ends.
    ask()
  }

  func write(_ records: [Record]) { lock.withLock { append(records) } }

  private func append(_ records: [Record]) {
    for record in records { text.append(record) }
    put(text.take())
  }

  func close() {
    lock.withLock {
      guard descriptor >= 0 else { return }
      put(text.end())
      Glibc.close(descriptor)
      descriptor = -1
    }
  }

  private func put(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty && !hasFailed {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        hasFailed = true
        diagnose("\(Self.failure("is not complete", path))")
      }
    }
  }
}
