import Glibc

extension PortDirectory {
  /// The names that ports of this user have here now, sorted. One that comes or goes just now may be missing, or among them:
  /// a look-up tells. Ports of another network namespace are not seen, and names with a line break in them.
  ///
  /// - Throws: ``PortFailure/system(call:code:)`` if the kernel's list of sockets cannot be read.
  public func names() throws(PortFailure) -> [PortName] {
    // In this list a name of the kernel's own table begins with an at sign (proc(5), "/proc/net/unix").
    let (before, after) = folder.map { ($0 + "/", ".port") } ?? ("@runloop-ports/\(geteuid())/", "")
    return try PortDirectory.listeners().compactMap { address in
      guard address.hasPrefix(before), address.hasSuffix(after) else { return nil }
      let name = String(address.dropFirst(before.count).dropLast(after.count))
      return name.isEmpty || name.contains("/") ? nil : PortName(name, in: self)
    }.sorted { $0.rawValue < $1.rawValue }
  }

  /// The addresses of all sockets that listen.
  private static func listeners() throws(PortFailure) -> [String] {
    let path = "/proc/net/unix"
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw .system(call: "open of \(path)", code: errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .system(call: "read of \(path)", code: errno) }
      if count == 0 { break }
      bytes += part[..<count]
    }
    // Num RefCount Protocol Flags Type St Inode Path; the flag is that of a socket that accepts.
    return bytes.split(separator: 10).compactMap { line in
      let fields = line.split(separator: 32, maxSplits: 7)
      guard fields.count == 8, fields[3].elementsEqual("00010000".utf8) else { return nil }
      return String(decoding: fields[7], as: UTF8.self)
    }
  }
}
