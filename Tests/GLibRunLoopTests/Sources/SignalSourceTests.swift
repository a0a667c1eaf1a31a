import GLibRunLoop
import Glibc
import Testing

/// A signal is the whole process's, so these tests run one at a time, and each number is one test's.
@Suite(.serialized) struct SignalSourceTests {
  @Test("S7 SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 can be sources", arguments: Driver.allCases)
  func kinds(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var log: [CInt] = []
      let signals = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2]
      let sources = signals.map { number in
        GRunLoop.SignalSource(signal: number) { source in
          log.append(source.signal)
          drive.quit()
        }
      }
      for source in sources { drive.loop.add(source, forMode: .default) }
      for number in signals {
        let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in kill(getpid(), number) }
        drive.loop.add(timer, forMode: .default)
        drive.run()
      }
      #expect(log == signals)
      for source in sources { source.invalidate() }
    }
  }

  @Test("S7 the call-back comes on the loop's thread, not in a signal handler", arguments: Driver.allCases)
  func onTheLoopsThread(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let thread = pthread_self()
      var onThread = false
      let source = GRunLoop.SignalSource(signal: SIGUSR1) { _ in
        onThread = pthread_equal(thread, pthread_self()) != 0
        // Impossible in a signal handler: the loop turns, and locks and memory are taken.
        drive.loop.perform { drive.quit() }
      }
      drive.loop.add(source, forMode: .default)
      let loop = drive.loop
      let killer = TestThread {
        waitUntilAsleep(loop)
        kill(getpid(), SIGUSR1)
      }
      drive.run()
      killer.join()
      #expect(onThread)
      source.invalidate()
    }
  }

  @Test("S7 none is lost between two call-backs: what comes during a call leads to another", arguments: Driver.allCases)
  func noneIsLost(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = 0
      let source = GRunLoop.SignalSource(signal: SIGUSR2) { _ in
        calls += 1
        // The next one arrives while this call goes on. A lost one would end the chain.
        if calls < 200 { kill(getpid(), SIGUSR2) } else { drive.quit() }
      }
      drive.loop.add(source, forMode: .default)
      kill(getpid(), SIGUSR2)
      drive.run()
      #expect(calls == 200)
      source.invalidate()
    }
  }
}
