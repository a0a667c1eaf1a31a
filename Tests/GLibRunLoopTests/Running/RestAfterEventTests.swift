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
      // What else happens in the process can only add to a count, so one event with one sleep is the proof; a loop that
      // wakes once more does so each time.
      var fewest = Int.max
      var last: Int?
      var events = 0
      let timer = GRunLoop.Timer(interval: .milliseconds(30), repeats: true) { _ in
        let count = voluntarySwitches
        // A slow machine may find the next one due, and not sleep.
        if let last, count > last { fewest = min(fewest, count - last) }
        last = count
        events += 1
        // It fires in another turn, at once.
        if twoAtOnce { source.signal() }
        if fewest == 1 || events == 300 { drive.quit() }
      }
      loop.add(timer, forMode: .default)
      drive.run()
      #expect(fewest == 1)
      descriptor.invalidate()
    }
  }
}
