import GLibRunLoop
import Synchronization

/// A source with a buffer of commands, which clients on other threads fill.
final class CommandBuffer: Sendable {
  private let commands = Mutex<[String]>([])

  func add(_ command: String) { commands.withLock { $0.append(command) } }

  private func takeAll() -> [String] {
    commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }

  /// On the thread that is to carry the commands out.
  func schedule(carryOut: @escaping ([String]) -> Void) -> GRunLoop.Source {
    let source = GRunLoop.Source(
      onScheduled: { source, _, _ in
        GRunLoop.main.perform { @MainActor in
          CommandClients.register(self, source)
        }
      },
      onCancelled: { source, _, _ in
        GRunLoop.main.perform { @MainActor in
          CommandClients.remove(source)
        }
      },
      handler: { _ in carryOut(self.takeAll()) })
    GRunLoop.current.add(source, forMode: .default)
    return source
  }
}

/// On the main thread: the buffers that commands can be given to.
@MainActor enum CommandClients {
  typealias Client = (buffer: CommandBuffer, source: GRunLoop.Source)

  private(set) static var registered: [Client] = []

  static func register(_ buffer: CommandBuffer, _ source: GRunLoop.Source) {
    registered.append((buffer, source))
  }

  static func remove(_ source: GRunLoop.Source) {
    registered.removeAll { $0.source === source }
  }

  /// Some commands for all who take them; each source fires once.
  static func send(_ commands: String...) {
    for (buffer, source) in registered {
      commands.forEach(buffer.add)
      source.signal()
    }
  }
}
