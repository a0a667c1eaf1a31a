import DemoKit
import Glibc

/// A file that is followed by its name, whatever becomes of it.
@MainActor final class FollowedFile {
  private static let chunk = 1 << 16

  let path: String
  private let watcher: Watcher
  private let emit: ([UInt8]) -> Void
  private let remark: (String) -> Void

  private var descriptor: CInt = -1
  private var identity = (device: dev_t(), inode: ino_t())
  private var offset: off_t = 0
  private var splitter = LineSplitter()
  private var fileWatch: CInt?
  /// The directories on the way to it, each with the name there that leads on.
  private var directories: [(watch: CInt, name: String)] = []
  /// What was last said about it, so that it is said once.
  private var complaint: String?

  init(
    _ path: String, watcher: Watcher, emit: @escaping ([UInt8]) -> Void, remark: @escaping (String) -> Void
  ) {
    self.path = path
    self.watcher = watcher
    self.emit = emit
    self.remark = remark
  }

  var isOpen: Bool { descriptor >= 0 }

  /// What was written and is not read yet.
  var held: Int {
    var status = stat()
    return isOpen && fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size - offset)) : 0
  }

  /// Opens it at its last lines. Nil shows all of them.
  func begin(lines: Int?) {
    watchDirectories()
    guard open() else { return }
    if let lines { offset = TailSearch.offset(ofLast: lines, in: descriptor) }
  }

  /// Whether there may be something new.
  func isConcerned(by events: [Watcher.Event]) -> Bool {
    let named = directories.map { directory in
      events.contains { $0.isOverflow || ($0.watch == directory.watch && $0.name == directory.name) }
    }
    if named.prefix(max(0, names.count - 1)).contains(true) { watchDirectories() }
    return named.contains(true) || events.contains { $0.watch == fileWatch }
  }

  /// Reads what is new, a piece at a time. True if there is more, for a later pass.
  func advance() -> Bool {
    guard isOpen || open() else { return false }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_size < offset {
      remark("\(path) was truncated")
      splitter = LineSplitter()
      offset = 0
    }
    if readPiece() { return true }
    return isReplaced() && reopen()
  }

  // MARK: Reading

  /// True unless the end was reached.
  private func readPiece() -> Bool {
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, Self.chunk, offset))
    }
    offset += off_t(bytes.count)
    splitter.append(bytes, emit)
    return bytes.count == Self.chunk
  }

  // MARK: Opening

  private func open() -> Bool {
    let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else {
      let waits = errno == ENOENT ? "; waiting for it" : ""
      return refuse("\(Text.reason(errno))\(waits)")
    }
    var status = stat()
    fstat(opened, &status)
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      return refuse(Text.reason(status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL))
    }
    if complaint != nil { remark("\(path) can be read now") }
    complaint = nil
    descriptor = opened
    identity = (status.st_dev, status.st_ino)
    offset = 0
    fileWatch = watcher.watchFile(opened)
    return true
  }

  private func refuse(_ reason: String) -> Bool {
    if complaint != reason { remark("\(path) cannot be read: \(reason)") }
    complaint = reason
    return false
  }

  /// Whether the name stands for another file now. One that is only gone is read on, since its writer may write on.
  private func isReplaced() -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if complaint == nil { remark("\(path) has gone; waiting for a new one") }
      complaint = "gone"
      return false
    }
    if (status.st_dev, status.st_ino) != identity { return true }
    complaint = nil
    return false
  }

  private func reopen() -> Bool {
    splitter.flush(emit)
    if let fileWatch { watcher.unwatch(fileWatch) }
    fileWatch = nil
    close(descriptor)
    descriptor = -1
    remark("\(path) was replaced; following the new file")
    complaint = nil
    return open()
  }

  // MARK: Its directories

  private var names: [Substring] { path.split(separator: "/").filter { $0 != "." } }

  /// Watches them from the top, as far as they exist: whatever is made, moved or removed on the way is heard of.
  private func watchDirectories() {
    for directory in directories { watcher.unwatch(directory.watch) }
    directories = []
    var directory = path.hasPrefix("/") ? "/" : "./"
    for name in names {
      guard let watch = watcher.watchDirectory(directory) else { return }
      directories.append((watch, String(name)))
      directory += "\(name)/"
    }
  }
}

/// Finds where the last lines of a file begin, reading backwards.
private enum TailSearch {
  static func offset(ofLast lines: Int, in descriptor: CInt) -> off_t {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    if lines == 0 { return status.st_size }
    var (end, missing) = (status.st_size, lines)
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while end > 0 {
      let begin = max(0, end - off_t(buffer.count))
      let count = pread(descriptor, &buffer, Int(end - begin), begin)
      guard count > 0 else { return end }
      for index in stride(from: count - 1, through: 0, by: -1) where buffer[index] == UInt8(ascii: "\n") {
        let next = begin + off_t(index) + 1
        // The end of the last line begins no other one.
        if next == status.st_size { continue }
        missing -= 1
        if missing == 0 { return next }
      }
      end = begin
    }
    return 0
  }
}
