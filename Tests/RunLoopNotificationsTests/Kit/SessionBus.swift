import CGLib
import Foundation
import Testing

/// A session bus of a test's own: a real dbus-daemon, which can be ended and started again at the same address.
final class SessionBus {
  private let folder: String
  private var daemon: ChildProgram?
  var address: String { "unix:path=\(folder)/bus" }

  init(isStarted: Bool = true) throws {
    var template = Array("/tmp/glibrunloop-bus-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template)!)
    if isStarted { try start() }
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func start() throws {
    let daemon = try ChildProgram(
      "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address=1", "--address=\(address)"])
    // It says its address once it listens.
    #expect(daemon.line()?.hasPrefix("unix:path") == true)
    self.daemon = daemon
  }

  func stop() {
    daemon?.end()
    daemon = nil
    unlink("\(folder)/bus")
  }

  func signal(_ signal: CInt) { daemon?.signal(signal) }

  /// Sends with a program that knows nothing of this library.
  func emit(_ values: String...) throws { try emit(values) }

  func emit(_ values: [String]) throws {
    let format = "org.glibrunloop.DistributedNotificationCenter"
    let tool = try gdbus(
      ["emit", "--session", "--object-path", "/org/glibrunloop/DistributedNotificationCenter"]
        + ["--signal", "\(format).Posted"] + values)
    #expect(tool.finish() == 0)
  }

  /// What such a program hears.
  func monitor() throws -> ChildProgram {
    let arguments = ["type='signal',interface='org.glibrunloop.DistributedNotificationCenter'"]
    let tool = try ChildProgram("/usr/bin/dbus-monitor", ["--address", address] + arguments)
    // It tells of its own coming, once it listens.
    while let line = tool.line(), !line.contains("NameLost") {}
    return tool
  }

  /// Given another address than the session bus's, gdbus does not say hello, and the bus takes nothing from it.
  private func gdbus(_ arguments: [String]) throws -> ChildProgram {
    try ChildProgram("/usr/bin/env", ["DBUS_SESSION_BUS_ADDRESS=\(address)", "gdbus"] + arguments)
  }

  /// The rules that all who are connected have given to the bus.
  func matchRules() throws -> String {
    let tool = try gdbus(
      ["call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus"]
        + ["--method", "org.freedesktop.DBus.Debug.Stats.GetAllMatchRules"])
    var text = ""
    while let line = tool.line() { text += line }
    _ = tool.finish()
    return text
  }

  /// Another process, told of the bus by its address.
  func peer(_ arguments: String...) throws -> ChildProgram {
    try ChildProgram(Self.peerProgram(), [arguments[0], address] + arguments.dropFirst())
  }

  /// Another process, in a session whose bus this is; or whose bus none is.
  static func peer(inSessionOf bus: SessionBus?, _ arguments: String...) throws -> ChildProgram {
    let session = bus.map { ["DBUS_SESSION_BUS_ADDRESS=\($0.address)"] } ?? []
    let none = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY"].flatMap { ["-u", $0] }
    return try ChildProgram(
      "/usr/bin/env", none + session + [try peerProgram(), arguments[0], "session"] + arguments.dropFirst())
  }

  /// The build puts it beside the test bundle, which on Linux is the running program.
  private static func peerProgram() throws -> String {
    let place = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    return place.deletingLastPathComponent().appendingPathComponent("NotificationPeer").path
  }
}
