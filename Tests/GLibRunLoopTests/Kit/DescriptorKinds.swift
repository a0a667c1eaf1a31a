import Glibc

/// The kinds of descriptor that a loop must be able to watch.
enum DescriptorKind: CaseIterable, Sendable {
  case pipe, socket, eventfd, terminal, inotify
}

/// A descriptor of one kind to be watched, and what makes it readable.
final class Readable: @unchecked Sendable {
  // Nothing changes after `init`.
  let descriptor: CInt
  private let other: CInt
  private let action: () -> Void
  private let cleanUp: () -> Void

  init(_ kind: DescriptorKind) {
    var ends: [CInt] = [-1, -1]
    var atEnd: () -> Void = {}
    switch kind {
    case .pipe: check(Glibc.pipe(&ends))
    case .socket: check(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends))
    case .eventfd: ends[0] = check(libc("eventfd", as: EventFD.self)(0, 0))
    case .terminal:
      // The watched end is the terminal proper, the other one stands for who sits before it.
      var master: CInt = -1
      check(libc("openpty", as: OpenPTY.self)(&master, &ends[0], nil, nil, nil))
      ends[1] = master
    case .inotify: ends[0] = check(inotify_init1(0))
    }
    (descriptor, other) = (ends[0], ends[1])
    setNonBlocking(descriptor)
    let (watched, writer) = (ends[0], ends[1])
    switch kind {
    case .pipe, .socket, .terminal: action = { _ = write(writer, "line\n", 5) }
    case .eventfd:
      action = {
        var one: UInt64 = 1
        _ = write(watched, &one, 8)
      }
    case .inotify:
      var folder = Array("/tmp/glibrunloop-XXXXXX".utf8CString)
      _ = mkdtemp(&folder)
      let path = String(decoding: folder.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      check(inotify_add_watch(watched, path, UInt32(IN_CREATE)))
      action = {
        close(open("\(path)/file", O_CREAT | O_WRONLY, 0o600))
        unlink("\(path)/file")
      }
      atEnd = { rmdir(path) }
    }
    cleanUp = atEnd
  }

  deinit {
    close(descriptor)
    if other >= 0 { close(other) }
    cleanUp()
  }

  func makeReadable() { action() }
}

@discardableResult
private func check(_ result: CInt) -> CInt {
  precondition(result >= 0, "a descriptor cannot be made: error \(errno)")
  return result
}

// Swift's Glibc module lacks these two.
private typealias EventFD = @convention(c) (UInt32, CInt) -> CInt
private typealias OpenPTY =
  @convention(c) (
    UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CChar>?, UnsafeRawPointer?,
    UnsafeRawPointer?
  ) -> CInt

/// A function of the C library by its name.
func libc<Function>(_ name: String, as type: Function.Type) -> Function {
  unsafeBitCast(dlsym(nil, name)!, to: type)
}
