import GLibRunLoop
import Glibc
import Testing

/// A host that is not GLib's, as small as one can be: it polls this thread's loop's descriptor, and iterates.
final class PollingHost {
  let loop = GRunLoop.current
  let descriptor: CInt
  /// How often the descriptor was readable and the loop was iterated.
  private(set) var turns = 0

  init() throws {
    descriptor = try loop.hostDescriptor()
    // The first turn is due anyway, and the first work begins the loop's first pass.
    loop.perform {}
    settle()
    turns = 0
  }

  var isReadable: Bool { poll(milliseconds: 0) }

  /// Polls and iterates until something is so. The limit is for a wake-up that was lost: nothing here has to be in time.
  func run(limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation, until isDone: () -> Bool)
  {
    let end = GRunLoop.Instant.now + limit
    while !isDone() {
      let rest = GRunLoop.Instant.now.duration(to: end)
      guard rest > .zero, poll(milliseconds: CInt(rest / .milliseconds(1)) + 1) else {
        Issue.record("the descriptor is not readable: a wake-up was lost", sourceLocation: sourceLocation)
        return
      }
      turn()
    }
  }

  /// Iterates while there is something to do.
  func settle(sourceLocation: SourceLocation = #_sourceLocation) {
    for _ in 0..<1_000 {
      if !isReadable { return }
      turn()
    }
    Issue.record("the descriptor stays readable", sourceLocation: sourceLocation)
  }

  /// True if it becomes readable in this time.
  func poll(milliseconds: CInt) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var count: CInt
    repeat { count = Glibc.poll(&polled, 1, milliseconds) } while count < 0 && errno == EINTR
    return count > 0
  }

  private func turn() {
    turns += 1
    loop.iterate()
  }
}

/// Runs a test's body on a thread whose loop a polling host runs.
func withPollingHost(_ body: @escaping @Sendable (PollingHost) throws -> Void) async throws {
  try await onLoopThread { try body(PollingHost()) }
}
