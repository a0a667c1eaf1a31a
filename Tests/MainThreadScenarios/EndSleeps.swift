@preconcurrency import CRunLoopShims
import GLibRunLoop
import Glibc
import Synchronization

private let isArmed = Atomic<Bool>(false)
private let isWriting = Atomic<Bool>(false)
private let mayWrite = Atomic<Bool>(false)

/// A loop that ends while another thread is about to wake it waits for that one asleep, and takes no processor time.
@MainActor func endSleeps() {
  grl_system.write = { descriptor, bytes, count in
    if isArmed.exchange(false, ordering: .acquiringAndReleasing) {
      isWriting.store(true, ordering: .releasing)
      while !mayWrite.load(ordering: .acquiring) { usleep(1000) }
    }
    return write(descriptor, bytes, count)
  }
  let ready = Gate()
  let made = Locked<GRunLoop?>(nil)
  let worker = TestThread {
    let loop = GRunLoop.current
    loop.add(GRunLoop.Source { _ in }, forMode: .default)
    made.withLock { $0 = loop }
    ready.open()
    loop.run()
  }
  ready.wait()
  let loop = made.withLock { $0 }!
  while !loop.isWaiting { usleep(1000) }
  isArmed.store(true, ordering: .releasing)
  let waking = TestThread { loop.perform { loop.stop() } }
  while !isWriting.load(ordering: .acquiring) { usleep(1000) }
  // Another one wakes it, since the first has claimed to do so: a signal does not end its sleep, but its limit does.
  let ending = TestThread { loop.stop() }
  ending.join()
  // The loop's thread looks by itself once the wake-up is written; here it is ended by a descriptor of GLib's.
  g_main_context_wakeup(loop.context)
  var clock = clockid_t()
  expectEqual(pthread_getcpuclockid(worker.id, &clock), 0, "pthread_getcpuclockid")
  func used() -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
  // It has left its run and is at its end, where it waits for the writer.
  usleep(100_000)
  let before = used()
  usleep(200_000)
  let spent = used() - before
  expect(spent < 20_000_000, "the end of the loop took \(spent) ns of processor time while it waited")
  mayWrite.store(true, ordering: .releasing)
  waking.join()
  worker.join()
}
