import GLibRunLoop
import Testing

@Suite struct RestAfterEventTests {
  @Test(
    "R8 after an event the loop goes back to sleep for good, also after two at once",
    arguments: Driver.allCases, [false, true])
  func oneSleep(_ driver: Driver, twoAtOnce: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = BytePipe()
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in }
      loop.add(descriptor, forMode: .default)
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .default)
      var counts: [Int] = []
      let timer = GRunLoop.Timer(interval: .milliseconds(30), repeats: true) { _ in
        counts.append(voluntarySwitches)
        // It fires in another turn, at once.
        if twoAtOnce { source.signal() }
        if counts.count == 20 { drive.quit() }
      }
      loop.add(timer, forMode: .default)
      drive.run()
      let sleeps = zip(counts, counts.dropFirst()).map { $1 - $0 }
      // What else happens in the process can only add to a count: the usual one is the loop's own.
      #expect(sleeps.sorted()[sleeps.count / 2] == 1, "\(sleeps)")
      descriptor.invalidate()
    }
  }
}
