import GLibRunLoop
import Glibc
import Testing

@Suite struct ManyClosedDescriptorsTests {
  @Test(
    "S10, S6 any number of watched descriptors may be closed at once: each is told once, no other is disturbed",
    arguments: Driver.allCases, [2, 3, 40, 150])
  func closedAtOnce(_ driver: Driver, count: Int) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipes = (0..<count).map { _ in TestPipe() }
      let closed = (0..<count).filter { count == 2 || $0 % 3 != 1 }
      var told = [Int](repeating: 0, count: count)
      var heard = [Int](repeating: 0, count: count)
      func quitIfDone() {
        if closed.allSatisfy({ told[$0] > 0 }) && (0..<count).allSatisfy({ closed.contains($0) || heard[$0] > 0 }) {
          drive.quit()
        }
      }
      var sources: [GRunLoop.DescriptorSource] = []
      for (index, pipe) in pipes.enumerated() {
        let source = GRunLoop.DescriptorSource(fileDescriptor: moved(dup(pipe.reader)), events: .readable) {
          _, events in
          if events.contains(.invalid) {
            told[index] += 1
          } else {
            heard[index] += 1
            pipe.drain()
          }
          quitIfDone()
        }
        sources.append(source)
        drive.loop.add(source, forMode: .default)
      }
      let timer = GRunLoop.Timer(interval: .milliseconds(5)) { _ in
        for index in closed { close(sources[index].fileDescriptor) }
        for index in 0..<count where !closed.contains(index) { pipes[index].write() }
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      // What would be told again is told now.
      drive.run(for: .milliseconds(20))
      for index in 0..<count { #expect(told[index] == (closed.contains(index) ? 1 : 0)) }
      for source in sources where source.isValid {
        source.invalidate()
        close(source.fileDescriptor)
      }
    }
  }
}
