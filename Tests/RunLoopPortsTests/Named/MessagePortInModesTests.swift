import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct MessagePortInModesTests {
  @Test(
    "X3 M2 a named port is delivered in its modes only; one that a handler takes out of its mode keeps the rest",
    arguments: Driver.allCases)
  func removedInHandler(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.abstract.name
      var log: [UInt32] = []
      var port: MessagePort!
      port = try MessagePort(name: name) { request in
        log.append(request.message.id)
        if request.message.id == 2 { drive.loop.remove(port, forMode: .default) }
      }
      drive.loop.add(port, forMode: .default)
      let remote = try RemotePort(name, on: drive.loop)
      for id in 1...4 as ClosedRange<UInt32> { try remote.send(PortMessage(id: id)) }
      for _ in 0..<5 { drive.poll() }
      #expect(log == [1, 2])
      // A connection that is made while the port is in no mode is in the mode that it gets.
      let other = try RemotePort(name, on: drive.loop)
      try other.send(PortMessage(id: 5))
      drive.loop.add(port, forMode: "other")
      for _ in 0..<5 { drive.poll() }
      #expect(log == [1, 2])
      for _ in 0..<5 { drive.loop.run(mode: "other", for: .zero) }
      #expect(log.filter { $0 < 5 } == [1, 2, 3, 4] && log.contains(5))
      port.invalidate()
      port = nil
    }
  }

  @Test(
    "X3 R6 a run inside a handler delivers the messages behind the handler's own, in order", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.abstract.name
      var log: [UInt32] = []
      let port = try MessagePort(name: name) { request in
        log.append(request.message.id)
        if request.message.id == 1 {
          for _ in 0..<3 { drive.loop.run(until: .distantPast) }
          log.append(100)
        }
      }
      drive.loop.add(port, forMode: .default)
      let remote = try RemotePort(name, on: drive.loop)
      for id in 1...3 as ClosedRange<UInt32> { try remote.send(PortMessage(id: id)) }
      for _ in 0..<5 { drive.poll() }
      #expect(log == [1, 2, 3, 100])
      port.invalidate()
    }
  }

  @Test(
    "X3 S8 the loop holds a named port that is in a mode; invalidated in its handler it gets no later call, and is freed"
  )
  func freed() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let loop = GRunLoop.current
      let handlers = LifeCount()
      var calls = 0
      weak var weakPort: MessagePort?
      do {
        let token = handlers.token()
        let port = try MessagePort(name: name) { _ in
          token.touch()
          calls += 1
          weakPort?.invalidate()
        }
        weakPort = port
        loop.add(port, forMode: .default)
      }
      #expect(weakPort != nil)
      let remote = try RemotePort(name, on: loop)
      for id in 1...4 as ClosedRange<UInt32> { try remote.send(PortMessage(id: id)) }
      for _ in 0..<5 { loop.run(until: .distantPast) }
      #expect(calls == 1)
      #expect(weakPort == nil && handlers.value == 0)
      #expect(!remote.isValid)
    }
  }
}
