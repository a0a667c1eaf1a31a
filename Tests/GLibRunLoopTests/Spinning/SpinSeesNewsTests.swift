import CFaults
import GLibRunLoop
import Glibc
import Testing

@Suite struct SpinSeesNewsTests {
  enum News: CaseIterable, Sendable {
    case perform, performOfPriority, signal, wakeUp, timer, wallTimer, fireDate, descriptor, foreignSource, lastItemGone
  }

  @Test(
    "R7 what a loop that spins is given by another thread ends the spin, with nothing written", arguments: News.allCases
  )
  func news(_ news: News) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.spinDuration = .longSpin
      let pipe = BytePipe()
      let source = GRunLoop.Source(sendableHandler: { _ in loop.stop() })
      let timer = GRunLoop.Timer(fireDate: .now + .seconds(500), sendableHandler: { _ in loop.stop() })
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in loop.stop()
      }
      loop.add(source, forMode: .default)
      if news == .fireDate { loop.add(timer, forMode: .default) }
      if news == .descriptor { loop.add(descriptor, forMode: .default) }
      if news == .wakeUp {
        loop.add(GRunLoop.Observer(activities: .afterWaiting) { _, _ in loop.stop() }, forMode: .default)
      }
      let sleeping = Gate<Void>()
      loop.add(
        GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in sleeping.open() }, forMode: .default)
      let thread = TestThread {
        sleeping.wait()
        waitUntilAsleep(loop)
        fault_set(FAULT_WRITE, 0, 0, 0)
        switch news {
        case .perform: loop.perform { loop.stop() }
        case .performOfPriority: loop.perform(priority: .low) { loop.stop() }
        case .signal: source.signal()
        case .wakeUp: loop.wakeUp()
        case .timer: loop.add(GRunLoop.Timer(fireDate: .now, sendableHandler: { _ in loop.stop() }), forMode: .default)
        case .wallTimer:
          loop.add(
            GRunLoop.Timer(fireDate: .now(on: .wall), sendableHandler: { _ in loop.stop() }), forMode: .default)
        case .fireDate: timer.fireDate = .now
        case .descriptor: pipe.put()
        case .foreignSource:
          Foreign.idle {
            loop.stop()
            return false
          }.attach(to: loop.context)
        case .lastItemGone: source.invalidate()
        }
        // Freeing what the source held may come when the run is over.
        if news != .lastItemGone { #expect(fault_calls(FAULT_WRITE) == 0, "\(news)") }
      }
      let result = loop.run(mode: .default, for: .seconds(30))
      thread.join()
      #expect(result == (news == .lastItemGone ? .finished : .stopped))
    }
  }

  @Test("R7 a loop that spun and does so no more is woken as ever", arguments: Driver.allCases)
  func afterwards(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = BytePipe()
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in loop.stop()
      }
      loop.add(descriptor, forMode: .default)
      loop.spinDuration = .longSpin
      let writer = TestThread {
        waitUntilAsleep(loop)
        pipe.put()
      }
      // The kernel's news end the spin, and nobody calls.
      #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
      writer.join()
      descriptor.invalidate()
      loop.spinDuration = .zero
      let thread = TestThread {
        waitUntilAsleep(loop)
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
    }
  }
}
