import CGLib
import CPortShims
import GLibRunLoop
import Glibc
import RunLoopPorts

// The other process of the tests of named ports: `PortPeer COMMAND NAME [FOLDER]`. It ends by itself after a while,
// should a test forget it, and with its standard input's end, so that it does not outlive a test that died.

alarm(120)
guard CommandLine.arguments.count > 2 else {
  print("usage: PortPeer serve|scarce|mute|intrude|squat NAME [FOLDER]")
  exit(2)
}
let command = CommandLine.arguments[1]
let folder = CommandLine.arguments.count > 3 ? PortDirectory.folder(CommandLine.arguments[3]) : .abstract
let name = PortName(CommandLine.arguments[2], in: folder)
let loop = GRunLoop.main

/// Requests that are kept and never answered.
@MainActor enum Kept {
  static var requests: [PortRequest] = []
}

@MainActor func say(_ line: String) {
  print(line)
  fflush(nil)
}

@MainActor func serve() throws {
  let port = try MessagePort(name: name) { @MainActor request in
    switch request.message.id {
    case 0: try? request.reply(request.message)  // An echo.
    case 1: Kept.requests.append(request)  // Never.
    case 2: kill(getpid(), SIGKILL)  // As hard an end as any, and without a backtrace being made of it.
    case 3: try? request.reply(PortMessage(id: UInt32(getpid())))
    case 4:
      Scarcity.limit(to: Scarcity.before.rlim_cur)
      try? request.reply(PortMessage(id: Scarcity.passes, components: [[Scarcity.warnings]]))
    case 5:  // An echo, or why there is none.
      do {
        try request.reply(request.message)
      } catch {
        try? request.reply(PortMessage(id: 5, components: [Array("\(error)".utf8)]))
      }
    default: break
    }
  }
  loop.add(port, forMode: .common)
  let input = GRunLoop.DescriptorSource(fileDescriptor: 0, events: [.readable, .hungUp]) { @MainActor _, _ in exit(0) }
  loop.add(input, forMode: .common)
  if command == "scarce" {
    // What the loop itself opens when it first runs.
    loop.run(until: .distantPast)
    Scarcity.begin()
  }
  say("ready")
  loop.run()
}

/// What a process with too few descriptors does.
@MainActor enum Scarcity {
  static var before = rlimit()
  static var passes: UInt32 = 0
  // Counted on the main thread, the only one there is.
  nonisolated(unsafe) static var warnings: UInt8 = 0

  /// One more descriptor can be opened, and no second one.
  static func begin() {
    g_log_set_handler("GLibRunLoop", G_LOG_LEVEL_WARNING, { _, _, _, _ in Scarcity.warnings += 1 }, nil)
    loop.add(GRunLoop.Observer(activities: .beforeTimers) { @MainActor _, _ in passes += 1 }, forMode: .common)
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    let next = dup(0)
    close(next)
    limit(to: rlim_t(next + 1))
  }

  static func limit(to count: rlim_t) {
    var limit = rlimit(rlim_cur: count, rlim_max: before.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

/// Becomes another user, who uses this one's name in the kernel's table.
@MainActor func intrude(as user: uid_t, _ body: (CInt, [UInt8]) -> Void) {
  let address = Array("runloop-ports/\(geteuid())/\(name)".utf8)
  if setgid(user) != 0 || setuid(user) != 0 { exit(3) }
  body(gps_socket(), address)
}

do {
  switch command {
  case "serve", "scarce": try serve()
  case "mute":
    // Has the name, and never runs its loop.
    let port = try MessagePort(name: name) { @MainActor _ in }
    loop.add(port, forMode: .common)
    say("ready")
    var byte: UInt8 = 0
    _ = read(0, &byte, 1)
    port.invalidate()
  case "intrude":
    intrude(as: 65_534) { socket, address in
      if gps_connect(socket, address, address.count, true, -1) != 0 { exit(4) }
      // The port closes it, without having read.
      var byte: UInt8 = 0
      say(read(socket, &byte, 1) <= 0 ? "turned away" : "answered")
    }
  case "squat":
    intrude(as: 65_534) { socket, address in
      if gps_bind(socket, address, address.count, true) != 0 || listen(socket, 8) != 0 { exit(4) }
      say("ready")
      var byte: UInt8 = 0
      _ = read(0, &byte, 1)
    }
  default: exit(2)
  }
} catch {
  say("\(error)")
  exit(1)
}
