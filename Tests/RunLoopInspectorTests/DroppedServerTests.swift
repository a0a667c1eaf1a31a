import Foundation
import GLibRunLoop
import RunLoopInspector
import RunLoopPorts
import Testing

@Suite struct DroppedServerTests {
  @Test("H4 a dropped server's name is free at once, and its loops count no more, but for the program's own")
  func dropped() async throws {
    let folder = ScratchFolder()
    let directory = PortDirectory.folder(folder.path)
    let (worker, other, home) = (LoopWorker(), LoopWorker(), LoopWorker())
    for round in 0..<5 {
      var server: MetricsServer? = try MetricsServer(
        publishing: ["worker": worker.loop, "other": other.loop], in: directory)
      let client = try MetricsClient(process: Int(getpid()), in: directory, on: home.loop)
      _ = try await client.report()
      #expect(worker.loop.collectsMetrics && other.loop.collectsMetrics)
      // The program wants counts, too, and says so while it is looked at, or before.
      other.loop.collectsMetrics = true
      withExtendedLifetime(server) {}
      server = nil
      #expect(try MetricsClient.processes(in: directory) == [], "round \(round)")
      #expect(!worker.loop.collectsMetrics && other.loop.collectsMetrics)
    }
    other.loop.collectsMetrics = false
    #expect(!other.loop.collectsMetrics)
    for worker in [worker, other, home] { worker.finish() }
  }

  @Test("H4 a question while a timer of the distant past waits harms nobody, and two loops of one name are two")
  func distantPast() async throws {
    let folder = ScratchFolder()
    let directory = PortDirectory.folder(folder.path)
    let (first, second, home) = (LoopWorker(), LoopWorker(), LoopWorker())
    let server = try MetricsServer(publishing: ["twin": first.loop, "twin": second.loop], in: directory)
    let (isKept, isOver) = (Gate<Void>(), Gate<Void>())
    first.loop.perform {
      isKept.open(())
      isOver.wait()
    }
    isKept.wait()
    first.loop.add(GRunLoop.Timer(fireDate: .distantPast, sendableHandler: { _ in }), forMode: .default)
    second.loop.add(GRunLoop.Timer(fireDate: .distantFuture, sendableHandler: { _ in }), forMode: .default)
    let client = try MetricsClient(process: Int(getpid()), in: directory, on: home.loop)
    let loops = try await client.report().loops
    #expect(loops.map(\.name) == ["twin", "twin"] && Set(loops.map(\.number)).count == 2)
    #expect(loops[0].nextTimerNanoseconds ?? 0 < -1_000_000_000_000_000_000)
    isOver.open(())
    withExtendedLifetime(server) {}
    for worker in [first, second, home] { worker.finish() }
  }
}
