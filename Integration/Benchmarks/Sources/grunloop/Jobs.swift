import BenchSupport
import GLibRunLoop
import Glibc
import Synchronization

extension Bench {
  /// P threads resume N tasks that wait on one loop: each is a job for the loop, for which nothing is allocated.
  /// To run it, and to free the task that ends with it, is the work of Swift's runtime.
  func postJobs(_ producers: Int, _ total: UInt64) -> UInt64 {
    let each = Int(total) / producers
    let tasks = WaitingTasks(count: each * producers)
    tasks.start(on: LoopThread(driver).loop!) { self.countOne() }
    while !tasks.allWait { usleep(1000) }
    race(producers, each: UInt64(each)) { producer in
      for index in producer * each..<(producer + 1) * each { tasks.resume(index) }
    }
    return target
  }

  /// The runtime's part of it: as many jobs, put into an array and run from there.
  func jobsAlone(_ total: UInt64) -> UInt64 {
    let executor = ArrayExecutor()
    let tasks = WaitingTasks(count: Int(total))
    target = total
    tasks.start(on: executor) { self.countOne() }
    executor.drain()
    begin()
    for index in 0..<Int(total) { tasks.resume(index) }
    executor.drain()
    wait()
    return target
  }
}

/// Tasks that wait to be resumed, and then do one thing.
private final class WaitingTasks: @unchecked Sendable {
  private let count: Int
  private let continuations: UnsafeMutablePointer<UnsafeContinuation<Void, Never>>
  private let waiting = Atomic<Int>(0)

  init(count: Int) {
    self.count = count
    continuations = .allocate(capacity: count)
  }

  var allWait: Bool { waiting.load(ordering: .acquiring) == count }

  func start(on executor: some TaskExecutor, _ body: @escaping @Sendable () -> Void) {
    for index in 0..<count {
      Task(executorPreference: executor) { [self] in
        await withUnsafeContinuation { continuation in
          (continuations + index).initialize(to: continuation)
          waiting.add(1, ordering: .releasing)
        }
        body()
      }
    }
  }

  func resume(_ index: Int) { continuations[index].resume() }
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
