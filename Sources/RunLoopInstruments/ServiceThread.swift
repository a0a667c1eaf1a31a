import CRunLoopShims
import GLibRunLoop
import Glibc

/// A thread of an instrument's, which sleeps until its semaphore is raised. It costs nothing meanwhile.
enum ServiceThread {
  private final class Body {
    let semaphore: UnsafeMutablePointer<sem_t>
    let turn: () -> Bool

    init(_ semaphore: UnsafeMutablePointer<sem_t>, _ turn: @escaping () -> Bool) {
      self.semaphore = semaphore
      self.turn = turn
    }

    func run() {
      repeat { _ = grl_semaphore_wait(semaphore, -1) } while turn()
    }
  }

  /// - Parameter turn: Called on the thread each time that the semaphore was raised. False ends the thread.
  static func start(
    _ name: String, semaphore: UnsafeMutablePointer<sem_t>, _ turn: @escaping @Sendable () -> Bool
  ) throws(GRunLoop.InstrumentFailure) {
    try start(name, Body(semaphore, turn))
  }

  private static func start(_ name: String, _ body: Body) throws(GRunLoop.InstrumentFailure) {
    let retained = Unmanaged.passRetained(body)
    let error = grl_thread_start(
      name, { Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run() }, retained.toOpaque())
    if error == 0 { return }
    retained.release()
    throw GRunLoop.InstrumentFailure("the thread \(name) cannot be started: \(String(cString: strerror(error)))")
  }

  // MARK: On signals

  /// A forked child has none of the threads, and its signals do what they did before.
  private static let semaphores = PerProcess<[CInt: UnsafeMutablePointer<sem_t>]>([:]) { _ in [:] }

  /// Has the thread's semaphore raised by a signal.
  static func start(
    _ name: String, onSignal signal: CInt, _ turn: @escaping @Sendable () -> Bool
  ) throws(GRunLoop.InstrumentFailure) {
    // Never freed: a signal handler may be about to raise it.
    let semaphore = grl_semaphore_make()!
    let body = Body(semaphore, turn)
    let isFree = semaphores.withLock { semaphores in
      if semaphores[signal] != nil || !grl_semaphore_on_signal(signal, semaphore) { return false }
      semaphores[signal] = semaphore
      return true
    }
    if !isFree {
      throw GRunLoop.InstrumentFailure("signal \(signal) is in use already, or is no signal; choose another one")
    }
    do throws(GRunLoop.InstrumentFailure) { try start(name, body) } catch {
      stop(onSignal: signal)
      throw error
    }
  }

  /// Gives the signal back, and has the thread look once more.
  static func stop(onSignal signal: CInt) {
    semaphores.withLock { semaphores in
      grl_semaphore_off_signal(signal)
      if let semaphore = semaphores.removeValue(forKey: signal) { grl_semaphore_signal(semaphore) }
    }
  }
}
