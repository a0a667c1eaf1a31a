import GLibRunLoop
import Glibc
import Testing

/// The kernel tells of a hang-up whether asked or not, again and again: who does not listen to it races round.
/// https://github.com/nix-community/nixd/issues/627
/// https://github.com/nakst/gf/pull/51
/// https://github.com/danfruehauf/NetworkManager-ssh/issues/88
@Suite struct HangUpSpinsRegression {
  @Test(
    "S5, S8, R8 a peer that hangs up is told of, and no more once the source is gone (nixd, gf)",
    arguments: Driver.allCases)
  func toldOnce(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var told = 0
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { source, events in
        #expect(events == .hungUp)
        told += 1
        source.invalidate()
      }
      drive.loop.add(source, forMode: .default)
      pipe.closeWriter()
      let iterations = Iterations(of: drive.loop.context)
      #expect(iterations.during { drive.run(for: .milliseconds(200)) } < 30)
      #expect(told == 1)
    }
  }

  @Test("S5, R8 a paused source lets the loop sleep although its peer has hung up", arguments: Driver.allCases)
  func paused(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      var log: [GRunLoop.DescriptorSource.Events] = []
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: []) { source, events in
        log.append(events)
        source.invalidate()
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      pipe.closeWriter()
      let iterations = Iterations(of: drive.loop.context)
      #expect(iterations.during { drive.run(for: .milliseconds(200)) } < 30)
      #expect(log.isEmpty)
      source.events = .readable
      drive.run()
      #expect(log == [.hungUp])
    }
  }
}
