import CPortShims
import Glibc

/// A name that this process has, with the socket that listens there.
///
/// In a folder the name is whose file lock it is: the kernel lets go of that when a process ends, however it ends, so
/// what a crashed one left is told from what is in use, without a moment in which two could have it. In the kernel's
/// table names end with their sockets.
struct Registration {
  let listener: CInt
  private let path: String?
  private let lock: CInt

  init(_ name: PortName) throws(PortFailure) {
    let address = try name.address()
    if case .path(let path) = address {
      try Registration.makeFolder(of: name)
      lock = try Registration.takeLock(path + ".lock", name)
      self.path = path
      unlink(path)
    } else {
      path = nil
      lock = -1
    }
    listener = gps_socket()
    let bytes = address.bytes
    if listener >= 0, gps_bind(listener, bytes, bytes.count, address.isAbstract) == 0,
      gps_set_non_blocking(listener) == 0, listen(listener, 4096) == 0
    {
      return
    }
    let code = errno
    release()
    if code == EADDRINUSE { throw .nameTaken(name.rawValue) }
    throw .system(call: "bind of a port's socket", code: code)
  }

  private static func makeFolder(of name: PortName) throws(PortFailure) {
    guard let folder = name.directory.folder else { return }
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .system(call: "mkdir of \(folder)", code: errno) }
    if let problem = PortDirectory.problem(with: folder) { throw .badName(problem) }
  }

  private static func takeLock(_ path: String, _ name: PortName) throws(PortFailure) -> CInt {
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if file < 0 { throw .system(call: "open of \(path)", code: errno) }
      if !gps_lock_file(file) {
        let code = errno
        close(file)
        if code == EINTR { continue }
        throw code == EWOULDBLOCK ? .nameTaken(name.rawValue) : .system(call: "flock of \(path)", code: code)
      }
      // Whoever had it before may have unlinked it on the way out, after it was opened here.
      var (held, named) = (stat(), stat())
      if fstat(file, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino, held.st_dev == named.st_dev {
        return file
      }
      close(file)
    }
  }

  /// Gives the name back. Once.
  func release() {
    if listener >= 0 { close(listener) }
    guard let path else { return }
    unlink(path)
    unlink(path + ".lock")
    close(lock)
  }
}
