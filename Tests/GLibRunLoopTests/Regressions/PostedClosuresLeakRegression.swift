import GLibRunLoop
import Testing

/// What was posted and had not had its turn when the loop ended was never freed, nor what it held.
/// https://github.com/meetecho/janus-gateway/pull/1454
/// https://github.com/ostreedev/ostree/issues/1738
/// https://github.com/jwharm/java-gi/pull/205
@Suite struct PostedClosuresLeakRegression {
  @Test(
    "P6, T11, S8, L5 what a loop holds is freed with it, run or not (Janus, OSTree, Java-GI)",
    arguments: Driver.allCases)
  func freed(_ driver: Driver) async throws {
    let tokens = LifeCount()
    let loop = try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = BytePipe()
      // Has its turn.
      let first = tokens.token()
      loop.perform { first.touch() }
      loop.perform { drive.quit() }
      drive.run()
      #expect(tokens.value <= 1)
      // Never has.
      for _ in 0..<10 {
        let token = tokens.token()
        loop.perform { token.touch() }
        loop.perform(inModes: ["elsewhere"]) { token.touch() }
        loop.perform(after: .seconds(1000)) { token.touch() }
        loop.perform(after: .seconds(1000), target: drive, name: "later") { token.touch() }
        loop.add(GRunLoop.Timer(interval: .seconds(1), repeats: true) { _ in token.touch() }, forMode: .common)
        let source = GRunLoop.Source { _ in token.touch() }
        loop.add(source, forMode: .default)
        source.signal()
        loop.add(
          GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in token.touch() },
          forMode: .default)
        loop.add(
          Foreign.timeout(milliseconds: 1000) {
            token.touch()
            return true
          }, forMode: .default)
        loop.add(GRunLoop.Observer(activities: .all) { _, _ in token.touch() }, forMode: .default)
      }
      #expect(tokens.value >= 10)
      return loop
    }
    #expect(tokens.value == 0)
    // What comes after the end is let go at once.
    for _ in 0..<10 {
      let late = tokens.token()
      loop.perform { late.touch() }
      loop.perform(after: .milliseconds(1)) { late.touch() }
    }
    #expect(tokens.value == 0)
  }
}
