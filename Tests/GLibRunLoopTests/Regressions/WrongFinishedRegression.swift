import GLibRunLoop
import Testing

/// A run said that there was nothing to wait for although there was, or waited although there was nothing.
/// https://github.com/swiftlang/swift-corelibs-foundation/pull/258
/// https://github.com/vapor-community/async/pull/27
@Suite struct WrongFinishedRegression {
  @Test("R3, M5 run(mode:before:) is false for an empty mode only (swift-corelibs-foundation)")
  func onlyWhenEmpty() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      // Empty: it must not wait for the limit, nor may a program's outer loop spin on true.
      stopIfHung { #expect(!loop.run(mode: .default, before: .distantFuture)) }
      let observer = GRunLoop.Observer(activities: .all) { _, _ in Issue.record("an empty mode ran") }
      loop.add(observer, forMode: .default)
      stopIfHung { #expect(!loop.run(mode: .default, before: .distantFuture)) }
      observer.invalidate()

      // Not empty: it waits for the limit, again and again.
      let source = GRunLoop.Source { _ in }
      loop.add(source, forMode: .default)
      let limit = GRunLoop.Instant.now + .milliseconds(30)
      var runs = 0
      repeat {
        #expect(loop.run(mode: .default, before: limit))
        runs += 1
      } while GRunLoop.Instant.now < limit
      #expect(runs == 1)
      source.invalidate()
    }
  }

  @Test("R4, M5 run() of an empty loop returns at once, one with a far timer does not (vapor)")
  func endlessRun() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      stopIfHung { loop.run() }
      stopIfHung { loop.run(until: .distantFuture) }
      let far = GRunLoop.Timer(interval: .seconds(1000)) { _ in }
      loop.add(far, forMode: .default)
      let sockets = Log(of: Int.self)
      let late = TestThread {
        eventually { loop.isWaiting }
        loop.perform {
          sockets.append(1)
          far.invalidate()
        }
      }
      stopIfHung { loop.run() }
      late.join()
      #expect(sockets.count == 1)
    }
  }
}
