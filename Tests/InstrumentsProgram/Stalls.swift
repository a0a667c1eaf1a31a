import CGLib
import GLibRunLoop
import Glibc
import RunLoopInstruments
import ThreadKit

extension InstrumentsProgram {
  /// One call-back computes for long. The loop goes on until the test has heard all of it: on a busy machine the
  /// detector's thread has its turn late. The limit is for a detector that says nothing.
  static func stalls() {
    let loop = GRunLoop.main
    let timer = GRunLoop.Timer(interval: .milliseconds(200)) { _ in computeForLong() }
    timer.name = "slow"
    loop.add(timer, forMode: .default)
    loop.add(GRunLoop.SignalSource(signal: SIGTERM) { _ in loop.stop() }, forMode: .default)
    loop.perform(after: .seconds(20)) { loop.stop() }
    loop.run()
  }

  @inline(never)
  static func computeForLong() {
    let end = GRunLoop.Instant.now + .seconds(1)
    var sum = 0
    while .now < end { sum &+= 1 }
    if sum == 0 { say("nothing was computed") }
  }

  /// A stall, and the fields of the report.
  static func logs() throws {
    g_log_set_writer_func(
      { _, fields, count, _ in
        for field in UnsafeBufferPointer(start: fields, count: Int(count)) where field.length < 0 {
          let text = String(cString: field.value!.assumingMemoryBound(to: CChar.self))
          InstrumentsProgram.say("\(String(cString: field.key))=\(text)")
        }
        InstrumentsProgram.say("end")
        return G_LOG_WRITER_HANDLED
      }, nil, nil)
    try GRunLoop.StallDetector.start(on: .main, limit: .milliseconds(50), report: .log)
    stalls()
  }

  /// Call-backs of a tenth of the limit each, or less, until told to end; then says how many stalls there were.
  static func worksInSteps(limit: Duration) throws {
    let loop = GRunLoop.main
    let stalls = Locked(0)
    try GRunLoop.StallDetector.start(on: loop, limit: limit, report: .call { _ in stalls.withLock { $0 += 1 } })
    var isFirst = true
    let timer = GRunLoop.Timer(interval: .milliseconds(45), repeats: true) { _ in
      usleep(40_000)
      if isFirst { say("works") }
      isFirst = false
    }
    loop.add(timer, forMode: .default)
    loop.add(GRunLoop.SignalSource(signal: SIGTERM) { _ in loop.stop() }, forMode: .default)
    loop.run()
    say("\(stalls.withLock { $0 }) stalls")
  }

  /// How often the process's other threads were awake in two idle seconds.
  static func idles() throws {
    let loop = GRunLoop.main
    try GRunLoop.StallDetector.start(on: loop, limit: .milliseconds(100), takesStacks: true)
    loop.collectsMetrics = true
    loop.perform(after: .milliseconds(10)) {}
    loop.add(GRunLoop.Timer(interval: .seconds(1000)) { _ in }, forMode: .default)
    _ = TestThread {
      sleep(1)
      let before = InstrumentsProgram.switches()
      sleep(2)
      InstrumentsProgram.say("\(InstrumentsProgram.switches() - before)")
    }
    loop.run()
  }

  /// How often the other threads gave up the processor so far.
  static func switches() -> Int {
    guard let folder = opendir("/proc/self/task") else { return -1 }
    defer { closedir(folder) }
    let own = unsafeBitCast(dlsym(nil, "gettid")!, to: (@convention(c) () -> pid_t).self)()
    var count = 0
    while let entry = readdir(folder) {
      let thread = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard thread != "\(own)", let file = fopen("/proc/self/task/\(thread)/status", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("voluntary_ctxt_switches:") else { continue }
        count += Int(text.filter(\.isNumber)) ?? 0
      }
    }
    return count
  }
}
