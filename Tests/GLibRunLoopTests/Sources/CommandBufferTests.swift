import GLibRunLoop
import Testing

@Suite struct CommandBufferTests {
  /// Commands of other threads for one loop, handled there by a source.
  private final class CommandBuffer: Sendable {
    private let commands = Locked<[(client: Int, number: Int)]>([])

    func add(_ number: Int, of client: Int) { commands.withLock { $0.append((client, number)) } }

    func takeAll() -> [(client: Int, number: Int)] {
      commands.withLock { commands in
        defer { commands = [] }
        return commands
      }
    }
  }

  @Test(
    "S4 clients learn of a source by its scheduled call-back, fill its buffer and signal it",
    arguments: Driver.allCases)
  func commandBuffer(_ driver: Driver) throws {
    let clients = 4
    let count = 200
    let registered = Gate<GRunLoop.Source>()
    let buffer = CommandBuffer()
    let log = Log(of: String.self)
    let worker = TestThread {
      let drive = Drive(driver)
      var received = Array(repeating: [Int](), count: clients)
      let source = GRunLoop.Source(
        onScheduled: { source, _, _ in registered.open(source) },
        onCancelled: { _, _, _ in log.append("unregistered") },
        handler: { source in
          for command in buffer.takeAll() { received[command.client].append(command.number) }
          if received.allSatisfy({ $0.count == count }) {
            source.invalidate()
            drive.quit()
          }
        })
      drive.loop.add(source, forMode: .default)
      drive.run()
      // Each client's commands all came, in its order.
      log.append(received.allSatisfy { $0 == Array(0..<count) } ? "complete" : "\(received)")
    }
    let source = registered.wait()
    let threads = (0..<clients).map { client in
      TestThread {
        for number in 0..<count {
          buffer.add(number, of: client)
          source.signal()
        }
      }
    }
    for thread in threads { thread.join() }
    worker.join()
    #expect(log.entries == ["unregistered", "complete"])
  }
}
