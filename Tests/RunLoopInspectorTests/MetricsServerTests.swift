import Foundation
import GLibRunLoop
import RunLoopInspector
import RunLoopInstruments
import RunLoopPorts
import Testing

@Suite struct MetricsServerTests {
  @Test("R9 another process learns by one call what a loop does and what waits in it")
  func report() async throws {
    let folder = ScratchFolder()
    let directory = PortDirectory.folder(folder.path)
    let (worker, home) = (LoopWorker(), LoopWorker())
    let timer = GRunLoop.Timer(interval: .seconds(3600), sendableHandler: { _ in })
    worker.loop.add(timer, forMode: .default)
    #expect(try MetricsClient.processes(in: directory) == [])
    var server: MetricsServer? = try MetricsServer(publishing: ["worker": worker.loop], in: directory)
    #expect(try MetricsClient.processes(in: directory) == [Int(getpid())])
    #expect(!worker.loop.collectsMetrics, "it costs nothing until somebody asks")
    let client = try MetricsClient(process: Int(getpid()), in: directory, on: home.loop)
    let first = try await client.report()
    #expect(worker.loop.collectsMetrics)
    #expect(first.process == Int(getpid()) && first.program == ProcessInfo.processInfo.processName)
    #expect(first.loops.map(\.name) == ["worker"])
    let next = try #require(first.loops[0].nextTimerNanoseconds)
    #expect(next > 3_000_000_000_000 && next <= 3_600_000_000_000)
    for _ in 0..<10 { worker.loop.perform {} }
    var second = first
    func performs() -> UInt64 { second.loops[0].metrics.calls.first { $0.kind == "perform" }?.count ?? 0 }
    let limit = ContinuousClock.now + .seconds(30)
    while performs() < 10, .now < limit { second = try await client.report() }
    #expect(performs() == 10)
    #expect(second.momentNanoseconds > first.momentNanoseconds)
    server?.add(home.loop, name: "home")
    #expect(try await client.report().loops.map(\.name) == ["worker", "home"])
    worker.finish()
    #expect(try await client.report().loops.map(\.name) == ["home"], "one that has ended is left out")
    server = nil
    try await isGone(from: directory)
    home.finish()
  }

  @Test("R9 a loop that hangs is told of all the same")
  func hanging() async throws {
    let folder = ScratchFolder()
    let directory = PortDirectory.folder(folder.path)
    let (worker, home) = (LoopWorker(), LoopWorker())
    var server: MetricsServer? = try MetricsServer(publishing: ["worker": worker.loop], in: directory)
    let client = try MetricsClient(process: Int(getpid()), in: directory, on: home.loop)
    let (isHanging, isOver) = (Gate<Void>(), Gate<Void>())
    worker.loop.perform {
      isHanging.open(())
      isOver.wait()
    }
    isHanging.wait()
    let report = try await client.report()
    #expect(report.loops[0].metrics.isWaiting == false && report.loops[0].metrics.mode == "default")
    isOver.open(())
    withExtendedLifetime(server) {}
    server = nil
    try await isGone(from: directory)
    worker.finish()
    home.finish()
  }

  @Test("R9 X3 the port ends with the server, and a process that has none cannot be asked")
  func end() async throws {
    let folder = ScratchFolder()
    let directory = PortDirectory.folder(folder.path)
    let home = LoopWorker()
    var server: MetricsServer? = try MetricsServer(publishing: [:], in: directory)
    #expect(throws: PortFailure.nameTaken("runloop-metrics.\(getpid())")) {
      try MetricsServer(publishing: [:], in: directory)
    }
    let client = try MetricsClient(process: Int(getpid()), in: directory, on: home.loop)
    #expect(try await client.report().loops == [])
    withExtendedLifetime(server) {}
    server = nil
    try await isGone(from: directory)
    await #expect(throws: PortFailure.invalid) { try await client.report() }
    #expect(throws: PortFailure.notFound("runloop-metrics.\(getpid())")) {
      try MetricsClient(process: Int(getpid()), in: directory, on: home.loop)
    }
    home.finish()
  }

  /// The server's thread has to come to its end.
  private func isGone(from directory: PortDirectory) async throws {
    while try MetricsClient.processes(in: directory) != [] { await Task.yield() }
  }
}
