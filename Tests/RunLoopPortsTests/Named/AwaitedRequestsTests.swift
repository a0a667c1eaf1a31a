import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct AwaitedRequestsTests {
  @Test("X3 a request can be awaited; several tasks get each its own answer", arguments: Driver.allCases)
  func awaited(_ driver: Driver) async throws {
    let echo = try EchoPort()
    let home = DrivenWorker(driver)
    let remote = try RemotePort(echo.name, on: home.loop)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for id in 0..<100 as Range<UInt32> {
        group.addTask { try await remote.request(PortMessage(id: id), receiveTimeout: .seconds(60)).id == id }
      }
      for try await isRight in group { #expect(isRight) }
    }
    remote.invalidate()
    home.finish()
    echo.finish()
  }

  @Test("X3 an awaited request times out, and can be cancelled")
  func endsEarly() async throws {
    let kept = Locked<[PortRequest]>([])
    let name = NamePlace.abstract.name
    let port = try MessagePort(name: name, sendableHandler: { request in kept.withLock { $0.append(request) } })
    let worker = LoopWorker()
    worker.loop.add(port, forMode: .common)
    let remote = try RemotePort(name, on: worker.loop)
    await #expect(throws: PortFailure.timedOut) {
      try await remote.request(PortMessage(id: 1), receiveTimeout: .milliseconds(5))
    }
    let task = Task { try await remote.request(PortMessage(id: 2)) }
    while kept.withLock({ $0.count }) < 2 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let early = Task { () throws -> PortMessage in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await remote.request(PortMessage(id: 3))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    port.invalidate()
    worker.finish()
  }

  @Test("X3 L5 when the loop of awaited requests ends, they fail and the port is invalid")
  func loopEnds() async throws {
    let kept = Locked<[PortRequest]>([])
    let name = NamePlace.abstract.name
    let port = try MessagePort(name: name, sendableHandler: { request in kept.withLock { $0.append(request) } })
    let worker = LoopWorker()
    worker.loop.add(port, forMode: .common)
    let home = LoopWorker()
    let remote = try RemotePort(name, on: home.loop)
    let task = Task { try await remote.request(PortMessage(id: 2)) }
    while kept.withLock({ $0.count }) < 1 { await Task.yield() }
    home.finish()
    await #expect(throws: PortFailure.invalid) { try await task.value }
    await #expect(throws: PortFailure.invalid) { try await remote.request(PortMessage(id: 3)) }
    #expect(!remote.isValid)
    port.invalidate()
    worker.finish()
  }
}
