public import Dispatch

extension GRunLoop.BackgroundTask {
  /// Where a background step runs.
  public struct Worker: Sendable {
    let executor: (any TaskExecutor)?

    /// Dispatch's global queue, where a step may block: read files, compute for long.
    public static let dispatch = queue(.global())

    /// Swift concurrency's own threads, of which there are as many as processors: for steps that await, and do not
    /// block.
    public static let concurrency = Worker(executor: nil)

    /// A queue of the program's own; a serial one makes steps wait for each other.
    ///
    /// - Precondition: It is not the main queue, whose thread is the main loop's.
    public static func queue(_ queue: DispatchQueue) -> Worker {
      if queue.getSpecific(key: MainQueueMark.key) != nil {
        fatalError("the main queue is no worker: its blocks run on the main loop's thread; take a global queue")
      }
      return Worker(executor: QueueExecutor(queue))
    }
  }
}

/// How the main queue is known: each time that it is asked for it is another object.
private enum MainQueueMark {
  static let key = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()
}

/// A Dispatch queue as a task's preferred executor, also for what the task awaits.
private final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
