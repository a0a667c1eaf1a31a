import GLibRunLoop
import Testing

/// What another thread posted lay in the queue until some window event happened to wake the loop.
/// https://github.com/tauri-apps/tao/issues/625
/// https://github.com/tauri-apps/wry/issues/132
/// https://github.com/libsdl-org/SDL/pull/4424
@Suite struct PostWaitsForOtherEventRegression {
  enum Form: CaseIterable, Sendable {
    case perform, performInModes, performAfterDelay, performLow, signal, newTimer, movedTimer, descriptor, foreign
  }

  @Test(
    "P1, S2, R7 what another thread posts is news enough to wake a sleeping loop (tao, wry, SDL)",
    arguments: Driver.allCases, Form.allCases)
  func wakes(_ driver: Driver, _ form: Form) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let served = Log(of: Int.self)
      let rounds = 20
      let source = GRunLoop.Source(sendableHandler: { _ in served.append(0) })
      let timer = GRunLoop.Timer(
        fireDate: .distantFuture, interval: .seconds(1000), repeats: true, sendableHandler: { _ in served.append(0) })
      loop.add(source, forMode: .common)
      loop.add(timer, forMode: .common)
      let pipe = BytePipe()
      let poster = TestThread {
        for round in 0..<rounds {
          eventually { loop.isWaiting }
          switch form {
          case .perform: loop.perform { served.append(0) }
          case .performInModes: loop.perform(inModes: [.modalPanel, .default]) { served.append(0) }
          case .performAfterDelay: loop.perform(after: .milliseconds(1)) { served.append(0) }
          case .performLow: loop.perform(priority: .low) { served.append(0) }
          case .signal: source.signal()
          case .newTimer:
            let soon = GRunLoop.Timer(interval: .milliseconds(1), sendableHandler: { _ in served.append(0) })
            loop.add(soon, forMode: .default)
          case .movedTimer: timer.fireDate = .now
          case .descriptor:
            pipe.put()
            let input = GRunLoop.DescriptorSource(
              fileDescriptor: pipe.readEnd, events: .readable,
              sendableHandler: { input, _ in
                input.invalidate()
                pipe.take()
                served.append(0)
              })
            loop.add(input, forMode: .default)
          case .foreign:
            let idle = Foreign.idle {
              served.append(0)
              return false
            }
            loop.add(idle, forMode: .default)
          }
          guard eventually({ served.count > round }) else { break }
        }
        drive.quit()
      }
      drive.run()
      poster.join()
      #expect(served.count == rounds)
      source.invalidate()
      timer.invalidate()
    }
  }
}
