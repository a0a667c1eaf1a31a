import GLibRunLoop
import Testing

@Suite struct ManyForeignDescriptorsTests {
  @Test("L6 more descriptors of GLib's than a run begins with room for", arguments: Driver.allCases)
  func all(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipes = (0..<50).map { _ in TestPipe() }
      var read: [Int] = []
      for (index, pipe) in pipes.enumerated() {
        Foreign.readable(pipe.reader) {
          pipe.drain()
          read.append(index)
          if read.count == pipes.count { drive.quit() }
          return false
        }.attach(to: drive.loop.context)
        pipe.write()
      }
      drive.run()
      #expect(read.sorted() == Array(pipes.indices))
    }
  }
}
