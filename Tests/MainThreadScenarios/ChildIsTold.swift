import CFaults
import CGLib
import GLibRunLoop
import Glibc

/// What the program itself does with SIGCHLD.
private enum ChildSignal: String, CaseIterable {
  case nothing, blocked, handledBefore, handledLater, ignored
}

// Changed in a signal handler, on any thread of the process's; read when all children are known to have ended.
private nonisolated(unsafe) var handled = 0

private func handle(_ action: sighandler_t?) {
  var new = sigaction()
  new.__sigaction_handler.sa_handler = action
  sigaction(SIGCHLD, &new, nil)
}

/// The end of a child is told once, with its status or that there is none, whatever the program does with SIGCHLD, with
/// `pidfd_open` and without: `ChildIsTold DRIVER CASE pidfd|thread`.
@MainActor func childIsTold() {
  guard let kind = ChildSignal(rawValue: CommandLine.arguments[3]) else { return fail("no such case") }
  if CommandLine.arguments[4] == "thread" { fault_set(FAULT_PIDFD_OPEN, ENOSYS, 0, -1) }
  Warnings.capture()
  let count: @convention(c) (CInt) -> Void = { _ in handled += 1 }
  switch kind {
  case .nothing, .handledLater: break
  case .blocked:
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGCHLD)
    sigprocmask(SIG_BLOCK, &set, nil)
  case .handledBefore: handle(count)
  case .ignored: handle(SIG_IGN)
  }
  let drive = MainDrive()
  let loop = GRunLoop.main
  var statuses: [String: [CInt]] = [:]
  // One that ends now, one that is ended by a signal, one that has ended before anybody asked.
  let commands = ["exits": "exit 7", "killed": "kill -KILL $$", "early": "exit 3"]
  let total = commands.count
  for (name, command) in commands {
    // It waits for a byte, so that it is watched before its end.
    let gate = Pipe()
    let pid = shell(command, behind: name == "early" ? nil : gate)
    if name == "early" {
      var information = siginfo_t()
      while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }
    let source = GRunLoop.ChildSource(pid: pid) { source, status in
      expectEqual(source.pid, pid, "its number")
      statuses[name, default: []].append(status)
      if statuses.count == total { drive.quit() }
    }
    loop.add(source, forMode: .common)
    if kind == .handledLater { handle(count) }
    if name != "early" { gate.writeByte() }
    // The gate is the child's until it has read.
    gates.append(gate)
  }
  drive.run()
  // Nothing comes a second time.
  for _ in 0..<20 { loop.run(mode: .default, for: .zero) }
  let lost = GRunLoop.ChildSource.statusLost
  let isLost = kind == .ignored
  expectEqual(
    statuses,
    isLost
      ? ["exits": [lost], "killed": [lost], "early": [lost]] : ["exits": [7 << 8], "killed": [9], "early": [3 << 8]],
    "\(kind)")
  expectEqual(Warnings.contain("is lost"), isLost, "that a status is lost is said")
  expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD, "all were reaped")
  // The signals of two ends that come together may be one.
  if kind == .handledBefore || kind == .handledLater {
    expect(handled >= 1, "the program's own handler was called")
    var now = sigaction()
    sigaction(SIGCHLD, nil, &now)
    expect(now.__sigaction_handler.sa_handler != nil, "the program's own handler is still there")
  }
}

@MainActor private var gates: [Pipe] = []

/// 300 of them where a process may have 256 descriptors: each is told of, or refused with the reason.
@MainActor func childrenWithoutDescriptors() {
  Warnings.capture()
  let drive = MainDrive()
  let loop = GRunLoop.main
  limitDescriptors()
  var (told, refused) = (0, 0)
  for _ in 0..<300 {
    let pid = shell("exit 5")
    let source = GRunLoop.ChildSource(pid: pid) { _, status in
      expectEqual(status, 5 << 8, "the status")
      told += 1
    }
    loop.add(source, forMode: .common)
    // Still valid, and in no mode.
    if !loop.contains(source, inMode: .common) && source.isValid { refused += 1 }
  }
  expect(told + refused < 300, "some wait")
  drive.quitWhen { told + refused == 300 }
  drive.run()
  expect(told >= 100, "told of \(told)")
  expectEqual(Warnings.log.entries.count { $0.contains("descriptor") }, refused, "refusals that were said")
}

/// The same with sources of GLib's.
@MainActor func foreignSourcesWithoutDescriptors() {
  Warnings.capture()
  let drive = MainDrive()
  let loop = GRunLoop.main
  limitDescriptors()
  let called = Log(of: Int.self)
  var items: [GRunLoop.ForeignSource] = []
  for number in 0..<300 {
    let source = g_idle_source_new()!
    let box = Unmanaged.passRetained(Action()).toOpaque()
    Unmanaged<Action>.fromOpaque(box).takeUnretainedValue().store { called.append(number) }
    g_source_set_callback(
      source,
      {
        Unmanaged<Action>.fromOpaque($0!).takeUnretainedValue().run()
        return 0
      }, box, { Unmanaged<Action>.fromOpaque($0!).release() })
    items.append(loop.add(source, forMode: .common))
    g_source_unref(source)
  }
  let refused = items.count { !loop.contains($0, inMode: .common) }
  expect(refused > 0 && refused < 200, "refused: \(refused)")
  expectEqual(Warnings.log.entries.count { $0.contains("descriptor") }, refused, "refusals that were said")
  drive.quitWhen { called.count == 300 - refused }
  drive.run()
  // What was refused can be added once there is room. An item has its context as long as it lives.
  items.removeAll { !$0.isValid }
  for item in items { loop.add(item, forMode: .common) }
  drive.quitWhen { called.count == 300 }
  drive.run()
}

private func limitDescriptors() {
  var limit = rlimit(rlim_cur: 256, rlim_max: 256)
  setrlimit(__rlimit_resource_t(7), &limit)  // RLIMIT_NOFILE, whose macro Swift does not see.
}
