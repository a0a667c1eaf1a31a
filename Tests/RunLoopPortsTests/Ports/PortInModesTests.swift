import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct PortInModesTests {
  @Test("X1 M2 a port is delivered in its modes only, and what was sent meanwhile is kept", arguments: Driver.allCases)
  func modes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [UInt32] = []
      let port = Port { log.append($0.id) }
      try port.send(PortMessage(id: 1))
      drive.loop.add(port, forMode: "other")
      #expect(drive.loop.contains(port, inMode: "other") && !drive.loop.contains(port, inMode: .default))
      drive.poll()
      #expect(log == [])
      #expect(drive.loop.run(mode: "other", for: .zero) == .timedOut)
      #expect(log == [1])
      drive.loop.remove(port, forMode: "other")
      try port.send(PortMessage(id: 2))
      #expect(drive.loop.run(mode: "other", for: .zero) == .finished)
      drive.loop.add(port, forMode: .common)
      drive.poll()
      #expect(log == [1, 2])
      port.invalidate()
    }
  }

  @Test(
    "X1 R6 a run inside a handler delivers the messages behind the handler's own, in order", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [String] = []
      let port = Port { message in
        log.append("begin \(message.id)")
        if message.id == 2 { drive.loop.run(until: .distantPast) }
        log.append("end \(message.id)")
        if message.id == 5 { drive.quit() }
      }
      drive.loop.add(port, forMode: .default)
      for id in 1...4 as ClosedRange<UInt32> { try port.send(PortMessage(id: id)) }
      // Behind the others, whichever run comes to it.
      GRunLoop.current.perform { try! port.send(PortMessage(id: 5)) }
      drive.run()
      port.invalidate()
      let order = log.filter { $0.hasPrefix("begin") }
      #expect(order == ["begin 1", "begin 2", "begin 3", "begin 4", "begin 5"])
      #expect(log.firstIndex(of: "end 3")! < log.firstIndex(of: "end 2")!)
    }
  }

  @Test(
    "X1 a port that a handler takes out of its mode keeps the rest; in another mode they are delivered",
    arguments: Driver.allCases)
  func removedInHandler(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [UInt32] = []
      var port: Port!
      port = Port { message in
        log.append(message.id)
        if message.id == 2 {
          drive.loop.remove(port, forMode: .default)
          drive.loop.add(port, forMode: "other")
          // A run that delivers in the other mode does not make the outer batch forget.
          drive.loop.run(mode: "other", for: .zero, returnAfterSourceHandled: true)
        }
      }
      drive.loop.add(port, forMode: .default)
      for id in 1...6 as ClosedRange<UInt32> { try port.send(PortMessage(id: id)) }
      drive.poll()
      #expect(log == [1, 2, 3, 4, 5])
      drive.loop.run(mode: "other", for: .zero)
      #expect(log == [1, 2, 3, 4, 5, 6])
      port.invalidate()
    }
  }

  @Test("X1 R3 a message counts as a source, and a run that returns after one was not called for nothing")
  func countsAsSource() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var count = 0
      let port = Port { _ in count += 1 }
      loop.add(port, forMode: .default)
      for _ in 0..<3 { try port.send(PortMessage(id: 1)) }
      var runs = 0
      while loop.run(mode: .default, for: .zero, returnAfterSourceHandled: true) == .handledSource {
        runs += 1
        #expect(count >= runs)
      }
      #expect(count == 3)
      // One message is one source handled, and no more.
      for _ in 0..<3 {
        try port.send(PortMessage(id: 1))
        #expect(loop.run(mode: .default, for: .zero, returnAfterSourceHandled: true) == .handledSource)
        #expect(loop.run(mode: .default, for: .zero, returnAfterSourceHandled: true) == .timedOut)
      }
      port.invalidate()
    }
  }

  @Test("X1 S3 ports and sources of one pass fire by ascending order")
  func order() async throws {
    try await onLoopThread {
      var log: [String] = []
      let late = Port(order: 2) { _ in log.append("late") }
      let source = GRunLoop.Source(order: 1) { _ in log.append("source") }
      let early = Port(order: 0) { _ in log.append("early") }
      for port in [late, early] {
        GRunLoop.current.add(port, forMode: .default)
        try port.send(PortMessage(id: 1))
      }
      GRunLoop.current.add(source, forMode: .default)
      source.signal()
      GRunLoop.current.run(until: .distantPast)
      #expect(log == ["early", "source", "late"])
      for port in [late, early] { port.invalidate() }
    }
  }
}
