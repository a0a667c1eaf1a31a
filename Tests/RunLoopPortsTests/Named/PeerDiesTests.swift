import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct PeerDiesTests {
  @Test(
    "X6 a peer that crashes: the pending request fails at once, and the invalidation handler is called on its loop",
    arguments: Driver.allCases)
  func crashes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.folder.name
      let process = PeerProcess("serve", name.rawValue, scratchFolder)
      #expect(process.line() == "ready")
      let calls = Locked(0)
      let loop = drive.loop
      let remote = try RemotePort(
        name, on: loop,
        invalidationHandler: {
          #expect(loop.isCurrent)
          calls.withLock { $0 += 1 }
        })
      #expect(try remote.request(PortMessage(id: 0), replyMode: "reply").id == 0)
      soon {
        // Without a time-out: only the peer's end ends it.
        #expect(throws: PortFailure.invalid) { try remote.request(PortMessage(id: 2), replyMode: "reply") }
        soon { drive.quit() }
      }
      drive.run()
      process.wait()
      #expect(calls.withLock { $0 } == 1)
      #expect(!remote.isValid)
      #expect(throws: PortFailure.invalid) { try remote.send(PortMessage(id: 0)) }
      #expect(throws: PortFailure.invalid) { try remote.request(PortMessage(id: 0), replyMode: "reply") }
      remote.invalidate()
      #expect(calls.withLock { $0 } == 1)
    }
  }

  @Test(
    "X6 a peer that is killed while nothing is asked: the handler tells, also of awaited requests",
    arguments: Driver.allCases)
  func killed(_ driver: Driver) async throws {
    let name = NamePlace.abstract.name
    let process = PeerProcess("serve", name.rawValue)
    #expect(process.line() == "ready")
    let home = DrivenWorker(driver)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let remote = try RemotePort(name, on: home.loop, invalidationHandler: { continuation.yield() })
    let pending = Task { try await remote.request(PortMessage(id: 1)) }
    _ = try await remote.request(PortMessage(id: 0))
    process.kill()
    await #expect(throws: PortFailure.invalid) { try await pending.value }
    for await _ in ends { break }
    #expect(!remote.isValid)
    home.finish()
  }
}
