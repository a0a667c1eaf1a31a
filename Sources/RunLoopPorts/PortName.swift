import Glibc

/// Where a user's processes find each other's ports.
public struct PortDirectory: Hashable, Sendable {
  enum Place: Hashable {
    case user
    case folder(String)
    case abstract
  }

  let place: Place

  /// The folder `runloop-ports` in the user's runtime directory, `XDG_RUNTIME_DIR`. Where that is not set, or not a
  /// folder of this user's alone (as after `su`), it is ``abstract``.
  public static let user = PortDirectory(place: .user)

  /// The kernel's own table of names, of this user's part of it. It needs no folder, ends with a container's network
  /// namespace, and another user can take a name first: then it counts as taken, and a look-up refuses it.
  public static let abstract = PortDirectory(place: .abstract)

  /// A folder of one's own. It is made, for this user alone, by the first port in it; others must not be able to enter.
  public static func folder(_ path: String) -> PortDirectory { PortDirectory(place: .folder(path)) }

  /// The folder, or nil for the kernel's table.
  var folder: String? {
    switch place {
    case .folder(let path): return path
    case .abstract: return nil
    case .user:
      guard let variable = getenv("XDG_RUNTIME_DIR") else { return nil }
      let path = String(cString: variable)
      guard path.hasPrefix("/"), PortDirectory.problem(with: path) == nil else { return nil }
      return path + "/runloop-ports"
    }
  }

  /// Why a path is not a folder of this user's alone.
  static func problem(with path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "\(path) cannot be used: \(String(cString: strerror(errno)))" }
    guard status.st_mode & S_IFMT == S_IFDIR else { return "\(path) is no folder" }
    guard status.st_uid == geteuid() else { return "\(path) belongs to user \(status.st_uid)" }
    guard status.st_mode & 0o077 == 0 else { return "\(path) can be entered by others: chmod 700" }
    return nil
  }
}

/// What a ``MessagePort`` is found by, among the ports of one user.
public struct PortName: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name: 1 to 64 bytes of UTF-8, without "/" and zero bytes.
  public let rawValue: String
  /// Where it is looked for.
  public let directory: PortDirectory

  /// A name. Whether it can be one is found out by whoever uses it.
  public init(_ rawValue: String, in directory: PortDirectory = .user) {
    self.rawValue = rawValue
    self.directory = directory
  }

  /// A name in the user's runtime directory, so that a string can stand where a name is wanted.
  public init(stringLiteral value: String) { self.init(value) }

  /// What the socket is bound to.
  enum Address {
    case path(String)
    case abstract(String)

    var bytes: [UInt8] {
      switch self {
      case .path(let name), .abstract(let name): Array(name.utf8)
      }
    }

    var isAbstract: Bool {
      if case .abstract = self { return true }
      return false
    }
  }

  func address() throws(PortFailure) -> Address {
    let bytes = rawValue.utf8
    guard (1...64).contains(bytes.count) else {
      throw .badName("\"\(rawValue)\" has \(bytes.count) bytes, not 1 to 64")
    }
    guard !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else {
      throw .badName("\"\(rawValue)\" holds a slash or a zero byte")
    }
    guard let folder = directory.folder else { return .abstract("runloop-ports/\(geteuid())/\(rawValue)") }
    let path = "\(folder)/\(rawValue).port"
    // sockaddr_un has room for 107 bytes and a zero.
    guard path.utf8.count <= 107 else {
      throw .badName("\(path) has more than 107 bytes: choose a shorter folder or name")
    }
    return .path(path)
  }
}

extension PortName: CustomStringConvertible {
  /// The name alone.
  public var description: String { rawValue }
}
