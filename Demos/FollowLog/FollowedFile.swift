import DemoKit
import Glibc

/// A file that is followed by its name, whatever becomes of it.
@MainActor final class FollowedFile {
  private static let chunk = 1 << 16

  let path: FileName
  private let watcher: Watcher
  private let emit: (LineSplitter.Piece) -> Void
  private let remark: (String) -> Void

  private var descriptor: CInt = -1
  private var identity = (device: dev_t(), inode: ino_t())
  private var offset: off_t = 0
  private var splitter = LineSplitter()
  private var fileWatch: CInt?
  /// The directories on the way to it, those that symbolic links lead through too, each with the name there that leads
  /// on.
  private var directories: [(watch: CInt, name: FileName)] = []
  /// What was last said about it, so that it is said once.
  private var complaint: String?
  /// Why the kernel does not tell all that becomes of its name, and of what it holds.
  private var nameProblem: String?
  private var fileProblem: String?
  /// Which of them was said.
  private var blindness: String?

  init(
    _ path: FileName, watcher: Watcher, emit: @escaping (LineSplitter.Piece) -> Void, remark: @escaping (String) -> Void
  ) {
    self.path = path
    self.watcher = watcher
    self.emit = emit
    self.remark = remark
  }

  var isOpen: Bool { descriptor >= 0 }
  /// Somebody must look at it now and then, since the kernel does not tell.
  var isBlind: Bool { blindness != nil }
  var hasUnfinishedLine: Bool { !splitter.isEmpty }

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
    let isNamed = events.contains { event in
      event.isOverflow || directories.contains { $0.watch == event.watch && $0.name == event.name }
    }
    if isNamed { watchDirectories() }
    return isNamed || events.contains { $0.watch == fileWatch }
  }

  /// What the kernel would have told.
  func lookAgain() { watchDirectories() }

  func giveUnfinishedLine() { splitter.giveUnfinished(emit) }

  /// There will be no more.
  func end() { splitter.flush(emit) }

  /// Reads what is new, a piece at a time. True if there is more, for a later pass.
  func advance() -> Bool {
    guard isOpen || open() else { return false }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_size < offset {
      splitter.flush(emit)
      remark("\(path.text) was truncated")
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
    let opened = path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
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
    if complaint != nil { remark("\(path.text) can be read now") }
    complaint = nil
    descriptor = opened
    identity = (status.st_dev, status.st_ino)
    offset = 0
    watchFile()
    return true
  }

  private func refuse(_ reason: String) -> Bool {
    if complaint != reason { remark("\(path.text) cannot be read: \(reason)") }
    complaint = reason
    return false
  }

  /// Whether the name stands for another file now. One that is only gone is read on, since its writer may write on.
  private func isReplaced() -> Bool {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else {
      if complaint == nil { remark("\(path.text) has gone; waiting for a new one") }
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
    remark("\(path.text) was replaced; following the new file")
    complaint = nil
    return open()
  }

  // MARK: Its directories

  /// Watches them from the top, as far as they exist: whatever is made, moved or removed on the way is heard of. Where
  /// a name is a symbolic link, so are those on the way that it leads.
  private func watchDirectories() {
    let old = directories
    directories = []
    nameProblem = nil
    var directory = FileName(path.isAbsolute ? "/" : ".")
    var rest = path.parts[...]
    var links = 0
    while let name = rest.popFirst() {
      switch watcher.watchDirectory(directory) {
      case .watch(let watch): directories.append((watch, name))
      case .nothing: rest = []
      // The way may lead on: to pass through a folder it need not be readable.
      case .refusal(let code):
        if nameProblem == nil { nameProblem = "its folder \(directory.text) cannot be watched: \(Text.reason(code))" }
      }
      let next = directory.appending(name)
      if let target = next.target, links < Self.mostLinks {
        links += 1
        if target.isAbsolute { directory = FileName("/") }
        rest = (target.parts + rest)[...]
      } else {
        directory = next
      }
    }
    // After the new ones, so that a watch that stays is the same, and loses no news.
    for directory in old { watcher.unwatch(directory.watch) }
    if isOpen && fileWatch == nil { watchFile() }
    noteProblems()
  }

  /// As many as the kernel follows.
  private static let mostLinks = 40

  private func watchFile() {
    fileProblem = nil
    switch watcher.watchFile(descriptor) {
    case .watch(let watch): fileWatch = watch
    case .nothing: fileProblem = "it cannot be watched: /proc is not there"
    case .refusal(let code): fileProblem = "it cannot be watched: \(Text.reason(code))"
    }
    noteProblems()
  }

  private func noteProblems() {
    let problem = nameProblem ?? fileProblem
    if let problem, problem != blindness { remark("\(path.text): \(problem); looking every second instead") }
    blindness = problem
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
