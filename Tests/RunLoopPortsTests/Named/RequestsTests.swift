import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

@Suite struct RequestsTests {
  @Test("X3 a request gets its answer, by name, in a folder and in the kernel's table", arguments: NamePlace.allCases)
  func answered(_ place: NamePlace) async throws {
    try await onLoopThread {
      let echo = try EchoPort(place.name)
      let remote = try RemotePort(echo.name, on: .current)
      for id in 1...50 as ClosedRange<UInt32> {
        let message = PortMessage(id: id, components: [[UInt8(id)], [], [1, 2]])
        let reply = try remote.request(message, replyMode: .connectionReply)
        #expect(reply.id == id && reply.components == message.components && reply.replyPort == nil)
      }
      #expect(echo.port.connectionCount == 1)
      remote.invalidate()
      #expect(eventually { echo.port.connectionCount == 0 })
      echo.finish()
    }
  }

  @Test("X3 the port answers on a loop that either drives, to a process of the same user", arguments: Driver.allCases)
  func otherProcess(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.folder.name
      let process = PeerProcess("serve", name.rawValue, scratchFolder)
      #expect(process.line() == "ready")
      let remote = try RemotePort(name, on: drive.loop)
      var answer: PortMessage?
      soon {
        answer = try? remote.request(PortMessage(id: 3), receiveTimeout: .seconds(30), replyMode: .connectionReply)
        drive.quit()
      }
      drive.run()
      #expect(answer.map { $0.id != 0 && $0.id != UInt32(getpid()) } == true)
    }
  }

  @Test("X3 the caller's loop runs in the reply mode meanwhile, and in no other", arguments: Driver.allCases)
  func replyMode(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let name = NamePlace.abstract.name
      var log: [String] = []
      // On this very loop, in the reply mode: what answers is the run inside the request.
      let port = try MessagePort(name: name) { request in
        log.append("asked in \(drive.loop.currentMode!)")
        try? request.reply(PortMessage(id: 2))
      }
      drive.loop.add(port, forMode: "reply")
      let held = GRunLoop.Source { _ in log.append("held") }
      drive.loop.add(held, forMode: .default)
      let remote = try RemotePort(name, on: drive.loop)
      soon {
        held.signal()
        let answer = try? remote.request(PortMessage(id: 1), receiveTimeout: .seconds(30), replyMode: "reply")
        log.append("answered \(answer?.id ?? 0)")
        soon { drive.quit() }
      }
      drive.run()
      port.invalidate()
      #expect(log == ["asked in reply", "answered 2", "held"])
    }
  }

  @Test("X3 R5 a stop during the wait is handed on to the run around it")
  func stopIsHandedOn() async throws {
    try await onLoopThread {
      let name = NamePlace.abstract.name
      let isStopped = Gate<Void>()
      let port = try MessagePort(
        name: name,
        sendableHandler: { request in
          isStopped.wait()
          try? request.reply(request.message)
        })
      let worker = LoopWorker()
      worker.loop.add(port, forMode: .common)
      let loop = GRunLoop.current
      let remote = try RemotePort(name, on: worker.loop)
      var answer: PortMessage?
      // The first run of the wait ends by the stop, and only then there is an answer.
      loop.add(GRunLoop.Observer(activities: .exit, repeats: false) { _, _ in isStopped.open() }, forMode: "reply")
      let timer = GRunLoop.Timer(interval: .zero) { _ in loop.stop() }
      loop.add(timer, forMode: "reply")
      soon { answer = try? remote.request(PortMessage(id: 9), replyMode: "reply") }
      // With something else to wait for, only a stop ends it early.
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(60)) == .stopped)
      #expect(answer?.id == 9)
      anchor.invalidate()
      port.invalidate()
      worker.finish()
    }
  }

  @Test("X3 a request in a set of modes is refused, and does not spin")
  func notAMode() async throws {
    try await onLoopThread {
      let echo = try EchoPort()
      let remote = try RemotePort(echo.name, on: .current)
      #expect(throws: PortFailure.notAMode("common")) {
        try remote.request(PortMessage(id: 1), replyMode: .common)
      }
      #expect(throws: PortFailure.notAMode("")) { try remote.request(PortMessage(id: 1), replyMode: "") }
      echo.finish()
    }
  }

  @Test("X3 requests of several threads at once get each its own answer")
  func severalThreads() async throws {
    try await onLoopThread {
      let echo = try EchoPort()
      let home = LoopWorker()
      let remote = try RemotePort(echo.name, on: home.loop)
      let wrong = Locked(0)
      let threads = (0..<4).map { thread in
        TestThread {
          for index in 0..<200 {
            let message = PortMessage(id: UInt32(thread), components: [[UInt8(index)]])
            let reply = try? remote.request(message, receiveTimeout: .seconds(60), replyMode: .connectionReply)
            if reply?.id != message.id || reply?.components != message.components { wrong.withLock { $0 += 1 } }
          }
        }
      }
      for thread in threads { thread.join() }
      #expect(wrong.withLock { $0 } == 0)
      remote.invalidate()
      home.finish()
      echo.finish()
    }
  }
}
