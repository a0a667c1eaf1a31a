import BenchSupport
import CGLib
import GLibRunLoop
import Glibc

/// A thread that runs its loop for ever.
final class LoopThread: @unchecked Sendable {
  // Set before the semaphore is raised, constant after.
  private(set) var loop: GRunLoop! = nil
  private let driver: Driver
  private let prepare: (GRunLoop) -> Void
  private let ready = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ driver: Driver, prepare: @escaping @Sendable (GRunLoop) -> Void = { _ in }) {
    self.driver = driver
    self.prepare = prepare
    sem_init(ready, 0, 0)
    startThread { [self] in main() }
    sem_wait(ready)
  }

  private func main() {
    // The kernel's default slack of 50 µs would be most of what is measured.
    peer_sharp_timers()
    loop = .current
    prepare(loop)
    // Something to wait for.
    let anchor = GRunLoop.Source { _ in }
    loop.add(anchor, forMode: .common)
    sem_post(ready)
    switch driver {
    case .swift: loop.run()
    case .glib: g_main_loop_run(g_main_loop_new(loop.context, 0))
    }
  }
}

func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(Body(body)).toOpaque())
}
