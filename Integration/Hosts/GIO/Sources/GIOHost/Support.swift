import CGio
import Glibc
import Synchronization

func check(_ condition: Bool, _ complaint: @autoclosure () -> String) {
  if !condition { fail(complaint()) }
}

func fail(_ complaint: String) -> Never {
  print("GIOHost: \(complaint)")
  exit(1)
}

/// Calls something once so many threads have come by.
final class Countdown: Sendable {
  private let state: Mutex<(left: Int, body: (@Sendable () -> Void)?)>

  init(_ count: Int) { state = Mutex((count, nil)) }

  /// At once, if they have all come before.
  func whenZero(_ body: @escaping @Sendable () -> Void) {
    let isZero = state.withLock { state in
      state.body = body
      return state.left == 0
    }
    if isZero { body() }
  }

  func decrement() {
    let body = state.withLock { state in
      state.left -= 1
      return state.left == 0 ? state.body : nil
    }
    body?()
  }
}

/// A plain thread.
struct Thread {
  let body: @Sendable () -> Void

  func start() {
    let box = Unmanaged.passRetained(Body(run: body))
    g_thread_unref(
      g_thread_new(
        "client",
        { box in
          Unmanaged<Body>.fromOpaque(box!).takeRetainedValue().run()
          return nil
        }, box.toOpaque()))
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

extension UnsafeMutablePointer {
  /// What C does with macros: the same object as a class that it inherits from.
  var asListener: UnsafeMutablePointer<GSocketListener> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: GSocketListener.self)
  }
  var asInput: UnsafeMutablePointer<GInputStream> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: GInputStream.self)
  }
  var asStream: UnsafeMutablePointer<GIOStream> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: GIOStream.self)
  }
}
