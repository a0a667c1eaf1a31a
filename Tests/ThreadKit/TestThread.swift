import Glibc

/// A plain thread that can be joined, so that what happens at its end has happened.
public final class TestThread: Sendable {
  public let id: pthread_t

  public init(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // Sanitizers make frames large.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(run: body)).toOpaque())
    precondition(failed == 0, "pthread_create failed: \(failed)")
    pthread_attr_destroy(&attributes)
    id = thread
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  public func join() { pthread_join(id, nil) }
}
