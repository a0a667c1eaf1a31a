import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct TenThousandThreadsTests {
  @Test("L5 10,000 threads that each used a loop leave the number of open descriptors as it was")
  func descriptors() {
    let before = Self.openDescriptors()
    let makers = (0..<4).map { _ in
      TestThread { for round in 0..<2500 { TestThread { Self.useLoop(round) }.join() } }
    }
    for maker in makers { maker.join() }
    // Tests beside this one open some, too; a leak of one in twenty threads would show.
    #expect(Self.openDescriptors() - before < 500)
  }

  /// All that takes a descriptor: the loop itself, a mode with descriptors, a private context, a clock's alarm.
  private static func useLoop(_ round: Int) {
    let loop = GRunLoop.current
    let ran = Log(of: Int.self)
    let source = GRunLoop.DescriptorSource(fileDescriptor: 0, events: []) { _, _ in }
    #expect(loop.add(source, forMode: .default))
    loop.perform { ran.append(1) }
    if round % 4 == 0 {
      loop.perform(inModes: ["private"]) { ran.append(2) }
      #expect(loop.run(mode: "private", for: .zero) == .timedOut)
      let timer = GRunLoop.Timer(fireDate: .now(on: .continuous).advanced(by: .seconds(3600))) { _ in }
      loop.add(timer, forMode: .default)
    }
    if round % 2 == 0 { loop.run(until: .distantPast) } else { g_main_context_iteration(loop.context, 0) }
    if ran.entries.last != 1 { Issue.record("a perform did not run") }
  }

  private static func openDescriptors() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
