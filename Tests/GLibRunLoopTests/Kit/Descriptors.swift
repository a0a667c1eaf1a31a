import Glibc
import Synchronization

/// A pipe whose ends are closed with it, if they are still open then.
final class TestPipe: @unchecked Sendable {
  // The two numbers do not change but for `closeWriter` and `closeReader`, which a scenario calls from one thread.
  private(set) var reader: CInt
  private(set) var writer: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    let failed = pipe(&ends)
    precondition(failed == 0, "pipe failed: \(errno)")
    (reader, writer) = (ends[0], ends[1])
    for end in ends { setNonBlocking(end) }
  }

  deinit {
    closeReader()
    closeWriter()
  }

  func write(_ count: Int = 1) { _ = Glibc.write(writer, [UInt8](repeating: 7, count: count), count) }

  /// How many bytes there were to read.
  @discardableResult
  func drain() -> Int { GLibRunLoopTests.drain(reader) }

  /// Returns when the reader can know of it: a child that another test has forked may hold a copy until it is replaced.
  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
    var polled = pollfd(fd: reader, events: 0, revents: 0)
    while reader >= 0 && poll(&polled, 1, 10) >= 0 && Int32(polled.revents) & (POLLHUP | POLLNVAL) == 0 {}
  }

  func closeReader() {
    if reader >= 0 { close(reader) }
    reader = -1
  }
}

/// Reads all that there is to read. How many bytes that were.
@discardableResult
func drain(_ descriptor: CInt) -> Int {
  var bytes = [UInt8](repeating: 0, count: 65_536)
  var total = 0
  while true {
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return total }
    total += count
  }
}

func setNonBlocking(_ descriptor: CInt) { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }

/// A number for a descriptor that nothing else in the process uses, before and after it is closed: tests run side by
/// side, and the kernel gives the lowest free number to whoever asks next.
func privateNumber() -> CInt {
  let limit = CInt(clamping: min(sysconf(CInt(_SC_OPEN_MAX)), 16_384))
  return limit - numbersUsed.wrappingAdd(1, ordering: .relaxed).newValue
}

private let numbersUsed = Atomic<CInt>(0)

/// Gives a descriptor a private number.
func moved(_ descriptor: CInt) -> CInt {
  let number = dup2(descriptor, privateNumber())
  close(descriptor)
  return number
}

/// An open file with a few bytes in it, which has no name any more.
func temporaryFile() -> CInt {
  var template = Array("/tmp/glibrunloop-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  precondition(descriptor >= 0, "mkstemp failed: \(errno)")
  unlink(template)
  _ = write(descriptor, "bytes", 5)
  lseek(descriptor, 0, SEEK_SET)
  return descriptor
}
