import Dispatch
import GLibRunLoop

/// The main queue is a reason to run in a common mode, but not inside one of its own blocks.
@MainActor func mainLoopIsNeverEmpty() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  loop.addCommonMode("joined")
  let modes: [GRunLoop.Mode] = [.default, .modalPanel, .eventTracking, "joined"]
  drive.perform {
    for mode in modes {
      expectEqual(loop.run(mode: mode, for: .milliseconds(5)), .timedOut, "an empty run in \(mode)")
      expect(
        loop.run(mode: mode, before: .now.advanced(by: .milliseconds(5))), "\(mode) was empty for run(mode:before:)")
    }
    let start = GRunLoop.Instant.now
    loop.run(until: .now.advanced(by: .milliseconds(20)))
    expect(start.duration(to: .now) >= .milliseconds(20), "run(until:) returned at once")
    expectEqual(loop.run(mode: "private", for: .seconds(100)), .finished, "an empty run in a private mode")
    expectEqual(loop.run(mode: .connectionReply, for: .seconds(100)), .finished, "an empty run in connectionReply")
    DispatchQueue.main.async { inBlock() }
  }
  @MainActor func inBlock() {
    let observer = GRunLoop.Observer(activities: .all) { _, _ in fail("an observer was called in an empty mode") }
    for mode in modes { loop.add(observer, forMode: mode) }
    for mode in modes {
      expectEqual(loop.run(mode: mode, for: .seconds(100)), .finished, "\(mode) inside a block of the main queue")
      expect(!loop.run(mode: mode, before: .distantFuture), "\(mode) was not empty inside a block")
    }
    loop.run(until: .distantFuture)
    loop.run()
    observer.invalidate()

    // Other things to wait for are served there.
    let source = GRunLoop.Source { _ in log.append("source") }
    loop.add(source, forMode: .default)
    source.signal()
    expectEqual(
      loop.run(mode: .default, for: .seconds(100), returnAfterSourceHandled: true), .handledSource, "with a source")
    source.invalidate()
    drive.quit()
  }
  drive.run()
  expectEqual(log.entries, ["source"])
}
