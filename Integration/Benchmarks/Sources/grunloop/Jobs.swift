import BenchSupport
import GLibRunLoop
import Glibc
import Synchronization

extension Bench {
  /// P threads resume tasks that wait on one loop, N times in all: each is a job for the loop, for which nothing is
  /// allocated. To run it, until the task waits again, is the work of Swift's runtime.
  func postJobs(_ producers: Int, _ total: UInt64) -> UInt64 {
    let loop = LoopThread(driver).loop!
    let groups = (0..<producers).map { _ in WaitingTasks(on: loop) }
    let rounds = max(1, Int(total) / producers / WaitingTasks.count)
    for group in groups { group.wait() }
    race(producers, each: UInt64(rounds * WaitingTasks.count)) { [self] producer in
      for _ in 0..<rounds {
        groups[producer].resumeAll { self.countOne() }
        groups[producer].wait()
      }
    }
    return target
  }

  /// The runtime's part of it: as many jobs, put into an array and run from there.
  func jobsAlone(_ total: UInt64) -> UInt64 {
    let executor = ArrayExecutor()
    let tasks = WaitingTasks(on: executor)
    let rounds = max(1, Int(total) / WaitingTasks.count)
    target = UInt64(rounds * WaitingTasks.count)
    executor.drain()
    begin()
    for _ in 0..<rounds {
      tasks.resumeAll { self.countOne() }
      executor.drain()
    }
    wait()
    return target
  }
}

/// Tasks that wait to be resumed, do one thing, and wait again.
private final class WaitingTasks: @unchecked Sendable {
  static let count = 1000
  private let continuations = UnsafeMutablePointer<UnsafeContinuation<Void, Never>>.allocate(capacity: count)
  private let allWait = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  // The executor's; and before it resumes them, the producer's.
  @exclusivity(unchecked) private var waiting = 0
  @exclusivity(unchecked) private var body: () -> Void = {}

  init(on executor: some TaskExecutor) {
    sem_init(allWait, 0, 0)
    for index in 0..<Self.count {
      Task(executorPreference: executor) { [self] in
        // Always so: Swift 6.3 miscompiles an async closure that has no end, and the resumed task jumps to null.
        while waiting >= 0 {
          await withUnsafeContinuation { suspend(index, $0) }
          body()
        }
      }
    }
  }

  private func suspend(_ index: Int, _ continuation: UnsafeContinuation<Void, Never>) {
    (continuations + index).initialize(to: continuation)
    waiting += 1
    if waiting == Self.count {
      waiting = 0
      sem_post(allWait)
    }
  }

  /// Until all wait to be resumed.
  func wait() { sem_wait(allWait) }

  func resumeAll(_ body: @escaping () -> Void) {
    self.body = body
    for index in 0..<Self.count { continuations[index].resume() }
  }
}

/// The least that an executor can be.
private final class ArrayExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func drain() {
    let batch = jobs.withLock { exchange(&$0, with: []) }
    for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func exchange(_ value: inout [UnownedJob], with new: [UnownedJob]) -> [UnownedJob] {
    defer { value = new }
    return value
  }
}
