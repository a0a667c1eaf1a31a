import GLibRunLoop
import Glibc
import Testing

/// A signal every 100 µs, whose handler was installed without SA_RESTART, so that each call that waits is interrupted.
@Suite struct SignalStormTests {
  @Test(
    "R7, T5, P1, S5 in a storm of signals every perform and byte arrives, in order, and timers keep their dates",
    arguments: Driver.allCases)
  func loop(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = TestPipe()
      let count = 300
      let performed = Log(of: Int.self)
      var bytes = 0
      var ticks = 0
      let step = Duration.milliseconds(2)
      let storm = SignalStorm()
      let timer = GRunLoop.Timer(interval: step, repeats: true) { timer in
        #expect(.now >= timer.fireDate)
        ticks += 1
        if ticks >= 50 && bytes == count && performed.count == count && storm.count > 10 { drive.quit() }
      }
      let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
        bytes += pipe.drain()
      }
      loop.add(timer, forMode: .default)
      loop.add(input, forMode: .default)
      let poster = TestThread {
        for number in 0..<count {
          loop.perform { performed.append(number) }
          pipe.write()
          // Now and then the loop is to fall asleep first.
          if number % 10 == 0 { waitUntilAsleep(loop) }
        }
      }
      drive.run()
      storm.end()
      poster.join()
      timer.invalidate()
      input.invalidate()
      #expect(performed.entries == Array(0..<count))
      #expect(bytes == count)
    }
  }

  @Test("P3 a wait for a perform neither ends early nor late in a storm of signals", arguments: Driver.allCases)
  func waiter(_ driver: Driver) async throws {
    try await onLoopThread {
      let worker = DrivenWorker(driver)
      let storm = SignalStorm()
      var number = 0
      while number < 20 || storm.count <= 10 {
        number += 1
        let value = try? worker.loop.performAndWait { [number] in
          usleep(2000)
          return number
        }
        #expect(value == number)
      }
      let isOver = Gate<Void>()
      worker.loop.perform { isOver.wait() }
      let start = GRunLoop.Instant.now
      #expect(throws: GRunLoop.Failure.timedOut) {
        try worker.loop.performAndWait(timeout: .milliseconds(20)) {}
      }
      #expect(.now - start >= .milliseconds(20))
      isOver.open()
      storm.end()
      worker.finish()
    }
  }
}

/// Sends this thread signals until it is ended.
private final class SignalStorm: @unchecked Sendable {
  // The thread is set once, in `init`.
  private let done = Locked(false)
  private let sent = Locked(0)
  private var thread: TestThread?

  init() {
    // One of the real-time signals, which nobody else here uses.
    let signal = SIGRTMIN() + 7
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(signal, &action, nil)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    let target = pthread_self()
    thread = TestThread { [done, sent] in
      while !done.withLock({ $0 }) {
        pthread_kill(target, signal)
        sent.withLock { $0 += 1 }
        usleep(100)
      }
    }
  }

  /// How many it were so far.
  var count: Int { sent.withLock { $0 } }

  func end() {
    done.withLock { $0 = true }
    thread?.join()
  }
}

private func SIGRTMIN() -> CInt { libc("__libc_current_sigrtmin", as: (@convention(c) () -> CInt).self)() }
