import GLibRunLoop
import Testing

/// Each timer took something of the kernel's that is scarce, so that a program with many of them crashed.
/// https://github.com/swiftlang/swift-corelibs-foundation/pull/5539
@Suite struct DescriptorForEachTimerRegression {
  @Test(
    "T11, L5 ten thousand timers take no descriptor more than one (swift-corelibs-foundation)",
    arguments: Driver.allCases)
  func descriptors(_ driver: Driver) async {
    // In a process of its own, whose descriptors can be counted.
    await #expect(processExitsWith: .success) { [driver = driver as Driver] in
      try await onLoopThread {
        let drive = Drive(driver)
        var timers: [GRunLoop.Timer] = []
        func add(_ count: Int) {
          for _ in 0..<count {
            let timer = GRunLoop.Timer(interval: .seconds(1000), repeats: true) { _ in }
            drive.loop.add(timer, forMode: .default)
            timers.append(timer)
          }
        }
        add(1)
        drive.run(for: .milliseconds(5))
        let before = OpenDescriptors.count
        add(10_000)
        drive.run(for: .milliseconds(5))
        // One is for dates that are not whole milliseconds away, if GLib drives.
        #expect(OpenDescriptors.count <= before + 1)
        for timer in timers { timer.invalidate() }
      }
    }
  }
}
