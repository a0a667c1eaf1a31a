import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct StallDetectorEndTests {
  @Test("a stopped detector reports nothing more", arguments: Driver.allCases)
  func stopped(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      // On a busy machine the thread may be kept for longer than the limit before it stops the detector.
      try inTime(from: .milliseconds(50), to: .seconds(3)) { limit in
        let log = Log(of: GRunLoop.Stall.self)
        let detector = try GRunLoop.StallDetector.start(on: drive.loop, limit: limit, report: .call { log.append($0) })
        drive.loop.perform(after: limit * 0.4) { detector.stop() }
        drive.loop.perform(after: limit * 0.8) {
          usleepUninterrupted(limit * 6)
          drive.quit()
        }
        drive.run()
        usleepUninterrupted(limit)
        return log.count == 0
      }
    }
  }

  @Test("L5 a detector ends with its loop, and leaves the loop's objects to go")
  func loopEnds() async throws {
    weak var ended: GRunLoop?
    func watchAndEnd() throws {
      let worker = LoopWorker()
      ended = worker.loop
      try GRunLoop.StallDetector.start(on: worker.loop, limit: .milliseconds(50), report: .call { _ in })
      worker.loop.collectsMetrics = true
      #expect(namedThreads() > 0)
      worker.finish()
      #expect(!worker.loop.collectsMetrics)
      #expect(worker.loop.metrics.hasEnded)
    }
    try watchAndEnd()
    #expect(eventually { ended == nil })
  }

  @Test("L5 a detector is not started on a loop that has ended, and says so")
  func loopHasEnded() async throws {
    let worker = LoopWorker()
    worker.finish()
    let error = #expect(throws: GRunLoop.InstrumentFailure.self) {
      try GRunLoop.StallDetector.start(on: worker.loop, limit: .milliseconds(50))
    }
    #expect(error?.description.contains("has ended") == true, "\(String(describing: error))")
  }

  private func namedThreads() -> Int {
    guard let folder = opendir("/proc/self/task") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      let thread = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let file = fopen("/proc/self/task/\(thread)/comm", "r") else { continue }
      defer { fclose(file) }
      var name = [CChar](repeating: 0, count: 32)
      if fgets(&name, 32, file) != nil, strncmp(name, "grunloop-stalls", 15) == 0 { count += 1 }
    }
    return count
  }
}
