import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct HostLostWakeUpTests {
  @Test("R11, R7 of what several threads post while the host falls asleep again and again nothing is lost")
  func posts() async throws {
    try await withPollingHost { host in
      let loop = host.loop
      let received = Locked(0)
      let fires = Locked(0)
      let source = GRunLoop.Source(sendableHandler: { _ in fires.withLock { $0 += 1 } })
      loop.add(source, forMode: .common)
      loop.add(GRunLoop.Observer(activities: .all) { _, _ in }, forMode: .default)
      host.settle()
      let posted = Log(of: Int.self)
      let threads = (0..<3).map { kind in
        TestThread {
          var rounds = 0
          for _ in Rounds(3_000) {
            rounds += 1
            // Each waits for the last one, so that the host is about to poll, or has just begun to.
            let count = received.withLock { $0 }
            switch kind {
            case 0: loop.perform { received.withLock { $0 += 1 } }
            case 1:
              Foreign.idle {
                received.withLock { $0 += 1 }
                return false
              }.attach(to: loop.context)
            default:
              source.signal()
              loop.perform(priority: .high) { received.withLock { $0 += 1 } }
            }
            #expect(eventually { received.withLock { $0 } > count }, "\(kind)")
          }
          posted.append(rounds)
          loop.wakeUp()
        }
      }
      host.run(limit: .seconds(100)) {
        posted.count == threads.count && received.withLock { $0 } == posted.entries.reduce(0, +)
      }
      for thread in threads { thread.join() }
      #expect(fires.withLock { $0 } > 0)
      host.settle()
      #expect(!host.poll(milliseconds: 20))
    }
  }

  @Test("R11, P3 a thread that waits for its perform gets the answer through the descriptor")
  func performAndWait() async throws {
    try await withPollingHost { host in
      let loop = host.loop
      let sum = Locked(0)
      let asker = TestThread {
        for number in 1...500 {
          let answer = try? loop.performAndWait { number }
          sum.withLock { $0 += answer ?? 0 }
        }
        loop.wakeUp()
      }
      host.run { sum.withLock { $0 } == 500 * 501 / 2 }
      asker.join()
    }
  }

  @Test("R11 sources of GLib's that come and go on another thread, with descriptors, are all heard")
  func watches() async throws {
    try await withPollingHost { host in
      let loop = host.loop
      let heard = Locked(0)
      let other = TestThread {
        for number in 1...500 {
          let pipe = TestPipe()
          Foreign.readable(pipe.reader) {
            pipe.closeReader()
            heard.withLock { $0 += 1 }
            return false
          }.attach(to: loop.context)
          pipe.write()
          #expect(eventually { heard.withLock { $0 } == number })
        }
      }
      host.run(limit: .seconds(100)) { heard.withLock { $0 } == 500 }
      other.join()
      host.settle()
    }
  }
}
