import GLibRunLoop
import Glibc
import Testing

/// In processes of their own: a signal is the whole process's.
@Suite struct SignalSequenceTests {
  @Test("C6, S7 signals are an asynchronous sequence, and none that comes while one is dealt with is lost")
  func chain() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      try await withDrivenLoop(.swift) { loop in
        var count = 0
        var signals = loop.signals(SIGUSR1).makeAsyncIterator()
        kill(getpid(), SIGUSR1)
        while count < 200, await signals.next() == SIGUSR1 {
          count += 1
          if count < 200 { kill(getpid(), SIGUSR1) }
        }
        #expect(count == 200)
      }
    }
  }

  @Test("C6, S7 several signals in one sequence: each that came waits, once")
  func several() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      try await withDrivenLoop(.glib) { loop in
        var signals = loop.signals(SIGUSR1, SIGUSR2, SIGHUP).makeAsyncIterator()
        let heard = Log(of: Int.self)
        let control = GRunLoop.SignalSource(signal: SIGUSR2, sendableHandler: { _ in heard.append(1) })
        loop.add(control, forMode: .common)
        // Three times each, so that only a sequence that keeps one of each has two to give.
        kill(getpid(), SIGUSR1)
        for round in 1...3 {
          kill(getpid(), SIGUSR2)
          while heard.count < round { await Task.yield() }
        }
        // The other sources of the same turn have had theirs.
        for _ in 0..<2 { try await loop.settle() }
        let seen = [await signals.next(), await signals.next()]
        #expect(Set(seen) == [SIGUSR1, SIGUSR2])
        kill(getpid(), SIGHUP)
        #expect(await signals.next() == SIGHUP, "and nothing else in between")
      }
    }
  }
}

/// Dispatch's threads, on which tests run, block the signals, and a process begins with its maker's mask.
private func unblockSignals() {
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
}
