import CGLib
import GLibRunLoop
import Glibc

/// All that the loop needs the kernel for, under one that refuses a call: `RefusingKernel DRIVER [CALL]`. Everything goes
/// on, and one line of the whole process says what is missing; none if no call is named.
@MainActor func refusingKernel() {
  Warnings.capture()
  let drive = MainDrive()
  // Several loops, and everything twice.
  for _ in 0..<2 {
    timersOfAllClocks(drive)
    childEnds(drive)
    let others = (0..<2).map { _ in OtherThread { polledByHost() } }
    for other in others { other.join() }
    sleepsOnWorker()
  }
  // What is to be said is said with a loop's next turn.
  drive.perform { drive.quit() }
  drive.run()
  let said = Warnings.log.entries
  if CommandLine.arguments.count > 3 {
    expectEqual(said.count, 1, "what was said: \(said)")
    expect(said.first?.contains("\(CommandLine.arguments[3]) failed: ") ?? false, "not what is missing: \(said)")
  } else {
    expectEqual(said, [], "what was said")
  }
}

/// None is early, and none is lost.
@MainActor private func timersOfAllClocks(_ drive: MainDrive) {
  var calls = 0
  let timers = GRunLoop.Timebase.allCases.map { timebase in
    GRunLoop.Timer(fireDate: .now(on: timebase), interval: .microseconds(2300), repeats: true) { timer in
      expect(.now(on: timebase) >= timer.fireDate, "a timer was early")
      calls += 1
      if calls >= 30 { drive.quit() }
    }
  }
  for timer in timers { expect(GRunLoop.main.add(timer, forMode: .common), "a timer was refused") }
  drive.run()
  for timer in timers { timer.invalidate() }
}

@MainActor private func childEnds(_ drive: MainDrive) {
  // It lives until it is watched: of one that has ended already the kernel is not asked.
  let gate = Pipe()
  let pid = shell("exit 7", behind: gate)
  var status: CInt = -1
  let child = GRunLoop.ChildSource(pid: pid) { _, value in
    status = value
    drive.quit()
  }
  expect(GRunLoop.main.add(child, forMode: .common), "a child source was refused")
  gate.writeByte()
  drive.run()
  expectEqual(status, 7 << 8, "the child's status")
}

/// A host that polls a descriptor hears of a timer and of a time-out of GLib's.
private func polledByHost() {
  let loop = GRunLoop.current
  guard let descriptor = try? loop.hostDescriptor() else { return fail("there is no host descriptor") }
  let log = Log(of: String.self)
  func host(until count: Int) {
    loop.iterate()
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while log.count < count && poll(&polled, 1, -1) >= 0 { loop.iterate() }
  }
  loop.add(GRunLoop.Timer(interval: .milliseconds(3)) { _ in log.append("timer") }, forMode: .default)
  host(until: 1)
  let source = g_timeout_source_new(3)!
  let box = Unmanaged.passRetained(log)
  g_source_set_callback(
    source,
    { box in
      Unmanaged<Log<String>>.fromOpaque(box!).takeUnretainedValue().append("time-out")
      return 0
    }, box.toOpaque(), { Unmanaged<Log<String>>.fromOpaque($0!).release() })
  g_source_attach(source, loop.context)
  g_source_unref(source)
  host(until: 2)
  expectEqual(log.entries, ["timer", "time-out"], "what the host heard of")
}

/// A loop that Swift drives sleeps, with a limit and without one, and is woken.
private func sleepsOnWorker() {
  let worker = WorkerLoop()
  for _ in 0..<3 {
    while !worker.loop.isWaiting { sched_yield() }
    expect((try? worker.loop.performAndWait { 1 }) == 1, "a perform was lost")
    let isOver = Gate()
    worker.loop.perform(after: .milliseconds(2)) { isOver.open() }
    isOver.wait()
  }
  worker.finish()
}
