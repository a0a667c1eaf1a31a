import GLibRunLoop
import Glibc
import RunLoopInstruments
import Synchronization
import ThreadKit

extension InstrumentsProgram {
  /// Forks again and again while three loops are traced, and says what became of the children.
  static func forks(writingTo path: String) throws {
    let trace = try GRunLoop.Trace.start(writingTo: path)
    let kept = GRunLoop.Trace.start(keeping: .seconds(1))
    try kept.write(to: path + ".kept", on: SIGUSR2)
    for _ in 0..<3 { _ = TestThread { busyLoop() } }
    // This is of the instruments' locks, and not of those that are held while loops are made, nor of the Swift
    // runtime's, which makes each type at its first use. Relaxed: a count.
    while busyLoops.load(ordering: .relaxed) < 3 { usleep(1000) }
    TestThread { useInstruments(path) }.join()
    var status = stat()
    while stat(path, &status) != 0 || status.st_size < 1 << 20 { usleep(1000) }
    var ends: [String: Int] = [:]
    for round in 0..<60 {
      let part = round % 3
      // After _Fork(3) memory cannot always be had, and no handler gives the signal back.
      let child = fork(round % 2 == 0 && part == 0 ? "_Fork" : "fork")
      if child == 0 { playChild(part, path) }
      ends[end(of: child), default: 0] += 1
    }
    say(ends.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
    // One that lives on holds no lock on the file.
    let survivor = fork("fork")
    if survivor == 0 { while true { pause() } }
    trace.stop()
    let again = try? GRunLoop.Trace.start(writingTo: path)
    say(again == nil ? "the file is locked" : "the file is free")
    again?.stop()
    kill(survivor, SIGKILL)
    _ = end(of: survivor)
    exit(0)
  }

  private static let busyLoops = Atomic<Int>(0)

  private static func busyLoop() {
    let loop = GRunLoop.current
    loop.collectsMetrics = true
    let source = GRunLoop.Source { $0.signal() }
    loop.perform { busyLoops.add(1, ordering: .relaxed) }
    loop.add(source, forMode: .default)
    source.signal()
    loop.run()
  }

  private static func playChild(_ part: Int, _ path: String) -> Never {
    // What hangs is ended by the kernel, and told of.
    alarm(20)
    switch part {
    case 0: exit(7)
    case 1:
      TestThread { useInstruments(path) }.join()
      exit(7)
    default:
      // It does what it did before the parent's trace took it: it ends the process.
      kill(getpid(), SIGUSR2)
      while true { pause() }
    }
  }

  /// Instruments of the child's own, on a loop of its own.
  private static func useInstruments(_ path: String) {
    let loop = GRunLoop.current
    guard let trace = try? GRunLoop.Trace.start(writingTo: path + ".child"),
      let detector = try? GRunLoop.StallDetector.start(
        on: loop, limit: .milliseconds(1), takesStacks: true, report: .call { _ in })
    else { _exit(8) }
    loop.collectsMetrics = true
    loop.perform(name: "the child's") { usleep(5000) }
    loop.run(mode: .default, for: .zero)
    detector.stop()
    trace.stop()
    unlink(path + ".child")
    if loop.metrics.passes == 0 { _exit(9) }
  }

  private static func end(of child: pid_t) -> String {
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? "status \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
  }

  /// Swift's Glibc module lacks fork(2), and its kin.
  private static func fork(_ function: String) -> pid_t {
    unsafeBitCast(dlsym(nil, function)!, to: (@convention(c) () -> pid_t).self)()
  }

  /// A plug-in keeps the main loop from turning; says where it was.
  static func hangs(in plugin: String) throws {
    guard let library = dlopen(plugin, RTLD_NOW), let symbol = dlsym(library, "work") else { exit(5) }
    let work = unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)
    let loop = GRunLoop.main
    // The file that has the name now is another one.
    if CommandLine.arguments.count > 3 { rename(CommandLine.arguments[3], plugin) }
    try GRunLoop.StallDetector.start(
      on: loop, limit: .milliseconds(20), takesStacks: true,
      report: .call { stall in
        // On a busy machine the loop may stall before, kept by another thing.
        guard !stall.isOver, stall.stack.contains(where: { $0.contains("plugin.so") }) else { return }
        for line in stall.stack { say(line) }
        exit(0)
      })
    loop.perform { while true { work() } }
    loop.run()
  }
}
