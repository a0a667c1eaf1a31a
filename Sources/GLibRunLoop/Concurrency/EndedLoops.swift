import Dispatch

/// Where the jobs of Swift's tasks and actors go whose loop has ended.
///
/// A task's job may run anywhere. Those of an actor that is pinned to the loop must still come one after the other: so
/// all such actors share one serial queue, on which each is isolated. While a loop is at its end, whose call-backs come
/// on its thread and may assume that they are isolated, its jobs are held back.
enum EndedLoops {
  private static let queue = DispatchQueue(label: "Actors of run loops that have ended")
  private static let key = {
    let key = DispatchSpecificKey<Void>()
    queue.setSpecific(key: key, value: ())
    return key
  }()

  /// Guards `heldBack`. May be taken while a loop's own lock is held, and is the last one then.
  private static let lock = Lock()
  /// The jobs of the loops that are at their end.
  private nonisolated(unsafe) static var heldBack: [ObjectIdentifier: [UnownedJob]] = [:]

  /// Whether this is the queue, inside of a job.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  /// Whether the loop's thread has handed its actors over.
  static func owns(_ loop: GRunLoop) -> Bool {
    loop.failure == .ended && lock.withLock { heldBack[ObjectIdentifier(loop)] == nil }
  }

  /// Takes a job that the loop refused, since it has ended.
  static func enqueue(_ job: UnownedJob, of loop: GRunLoop, isolating: Bool) {
    guard isolating else { return DispatchQueue.global().async { loop.runJob(job, isolating: false) } }
    let isHeldBack = lock.withLock {
      let isHeldBack = heldBack[ObjectIdentifier(loop)] != nil
      if isHeldBack { heldBack[ObjectIdentifier(loop)]!.append(job) }
      return isHeldBack
    }
    if !isHeldBack { run(job, of: loop) }
  }

  /// The loop begins to end. Under its lock, before it refuses jobs.
  static func holdBack(_ loop: GRunLoop) { lock.withLock { heldBack[ObjectIdentifier(loop)] = [] } }

  /// The loop has ended.
  static func begin(_ loop: GRunLoop) {
    let jobs = lock.withLock { heldBack.removeValue(forKey: ObjectIdentifier(loop)) ?? [] }
    for job in jobs { run(job, of: loop) }
  }

  private static func run(_ job: UnownedJob, of loop: GRunLoop) {
    _ = key
    queue.async { loop.runJob(job, isolating: true) }
  }
}
