import CGLib
import GLibRunLoop
import Glibc

/// Work that a forking call-back may be part of.
private enum Kind: CaseIterable {
  case perform, lane, source, timer, repeatingTimer, descriptor, observer, foreign, inNestedRun
}

/// A call-back forks and returns in the child, too: there the parent's run ends at once, with a line that says why, and
/// nothing else of the parent's is called; whatever another thread did at the moment of the fork.
@MainActor func forkInMidRun() {
  // The end of an application waits for GIO's thread that talks to the session bus, which the child does not have.
  setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
  for kind in Kind.allCases { for _ in 0..<4 { forkInMidRun(of: kind) } }
}

@MainActor private func forkInMidRun(of kind: Kind) {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let fork = ForkingCallback(drive)
  let pipe = Pipe()
  let hammering = Gate()
  let done = Log(of: Bool.self)
  let hammer = OtherThread {
    // What Swift's runtime makes at the first call it makes under locks of its own, which no child could take.
    loop.wakeUp()
    if done.count == 0 { hammering.open() }
    while done.count == 0 { loop.wakeUp() }
  }
  hammering.wait()

  var items: [GRunLoop.Item] = []
  func add(_ item: GRunLoop.Item) {
    items.append(item)
    loop.add(item, forMode: .common)
  }
  switch kind {
  case .perform: loop.perform(inModes: [.common], order: -1) { fork.call() }
  case .lane: loop.perform(inModes: [.common], priority: .init(rawValue: -50)) { fork.call() }
  case .source:
    let source = GRunLoop.Source(order: -1) { _ in fork.call() }
    add(source)
    source.signal()
  case .timer: add(GRunLoop.Timer(fireDate: .distantPast) { _ in fork.call() })
  case .repeatingTimer:
    add(GRunLoop.Timer(fireDate: .distantPast, interval: .seconds(60), repeats: true) { _ in fork.call() })
  case .descriptor:
    pipe.writeByte()
    add(
      GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable, order: -1) { source, _ in
        source.invalidate()
        fork.call()
      })
  case .observer:
    add(
      GRunLoop.Observer(activities: [.beforeSources, .beforeWaiting], repeats: false, order: -1) { _, _ in fork.call() }
    )
  case .foreign:
    let source = g_idle_source_new()!
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    g_source_set_callback(
      source,
      { fork in
        Unmanaged<ForkingCallback>.fromOpaque(fork!).takeUnretainedValue().call()
        return 0
      }, Unmanaged.passUnretained(fork).toOpaque(), nil)
    add(loop.add(source, forMode: .common))
  case .inNestedRun:
    loop.perform(inModes: [.common], order: -1) {
      loop.perform(inModes: ["private"]) { fork.call() }
      loop.perform(inModes: ["private"]) { fork.note("the nested run's work") }
      _ = loop.run(mode: "private", for: .zero)
      // Back in the call-back of the outer run, which is ended, too.
    }
  }
  // All of this is ready as well, and may be called in the parent only.
  loop.perform(inModes: [.common], order: 1) { fork.note("a perform") }
  let source = GRunLoop.Source(order: 1) { _ in fork.note("a source") }
  add(source)
  source.signal()
  add(GRunLoop.Timer(fireDate: .now + .milliseconds(1)) { _ in fork.note("a timer") })
  add(GRunLoop.Observer(activities: .all, order: 1) { _, _ in fork.note("an observer") })
  // The parent's run ends when all has been; the child's by itself, or by what it has queued with GLib.
  let end = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { timer in
    fork.note("the end")
    if fork.hasForked && fork.notes.isSuperset(of: ["a perform", "a source", "a timer", "an observer"]) {
      drive.quit()
    }
  }
  add(end)
  drive.run()
  if fork.isChild { fork.leave() }
  for item in items { item.invalidate() }
  done.append(true)
  hammer.join()
  expectEqual(fork.awaitChild(), 0, "the status of the child that \(kind) forked")
}

/// Forks once. In the child it expects what a child may expect.
private final class ForkingCallback: @unchecked Sendable {
  // Everything happens on the main thread, of the parent or of the child.
  private let drive: MainDrive
  private(set) var hasForked = false
  private(set) var isChild = false
  private(set) var notes: Set<String> = []
  private var pid: pid_t = 0

  init(_ drive: MainDrive) { self.drive = drive }

  func call() {
    if hasForked { return note("the call-back again") }
    hasForked = true
    fflush(nil)
    pid = forkProcess()
    guard pid == 0 else { return }
    isChild = true
    alarm(300)
    Warnings.capture()
    let loop = GRunLoop.main
    loop.perform { fail("a perform of the child's ran") }
    expect(!loop.run(mode: .default, before: .distantPast), "the child ran the parent's loop")
    expect(Warnings.contain("a run in mode \"default\" was refused: this process was forked"), "nothing was said")
    // GLib's own sources go on in the child, as they always did.
    let timeout = g_timeout_source_new(400)!
    g_source_set_callback(
      timeout,
      { drive in
        Unmanaged<MainDrive>.fromOpaque(drive!).takeUnretainedValue().quit()
        return 0
      }, Unmanaged.passUnretained(drive).toOpaque(), nil)
    g_source_attach(timeout, nil)
  }

  func note(_ name: String) {
    if isChild { fail("\(name) was called in the child") }
    notes.insert(name)
  }

  /// In the child, after the run.
  func leave() {
    let ended = drive.driver == .swift ? "was ended: this process was forked" : "are left out: this process was forked"
    expect(Warnings.contain(ended), "nothing was said of the run's end: \(Warnings.log.entries)")
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    expect(usage.ru_utime.tv_sec == 0 && usage.ru_utime.tv_usec < 200_000, "the child spins")
    fflush(nil)
    _exit(Failures.exitCode)
  }

  func awaitChild() -> CInt {
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    return status
  }
}
