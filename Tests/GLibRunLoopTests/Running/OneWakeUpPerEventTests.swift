import GLibRunLoop
import Glibc
import Testing

@Suite struct OneWakeUpPerEventTests {
  enum Event: CaseIterable, Sendable { case perform, signal, descriptor, wakeUp, addedWork }

  @Test("R8 each event of another thread's is one wake-up", arguments: pairs(Driver.allCases, Event.allCases))
  func one(_ driver: Driver, _ event: Event) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let events = 200
      let pipe = BytePipe()
      let source = GRunLoop.Source(sendableHandler: { _ in })
      loop.add(source, forMode: .default)
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in pipe.take()
      }
      if event == .descriptor { loop.add(descriptor, forMode: .default) }

      var (sleeps, wakeUps) = (0, 0)
      let sleeping = Gate<Void>()
      let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
        if activity == .afterWaiting {
          wakeUps += 1
        } else {
          sleeps += 1
          sleeping.open()
        }
      }
      loop.add(observer, forMode: .default)
      let thread = TestThread {
        for _ in 0..<events {
          sleeping.wait()
          while !loop.isWaiting { sched_yield() }
          switch event {
          case .perform: loop.perform {}
          case .signal: source.signal()
          case .descriptor: pipe.put()
          case .wakeUp: loop.wakeUp()
          case .addedWork:
            loop.add(GRunLoop.Timer(fireDate: .now, sendableHandler: { _ in }), forMode: .default)
          }
        }
        sleeping.wait()
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
      #expect(wakeUps == events + 1)
      #expect(sleeps == events + 1)
    }
  }

  @Test("R8 adding what is not ready yet does not wake the loop", arguments: Driver.allCases)
  func addedForLater(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = BytePipe()
      // The loop has a date to sleep until, sooner than all that is added.
      loop.add(GRunLoop.Timer(interval: .seconds(20)) { _ in }, forMode: .default)
      let sleeping = Gate<Void>()
      var wakeUps = 0
      let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
        if activity == .afterWaiting { wakeUps += 1 } else { sleeping.open() }
      }
      loop.add(observer, forMode: .default)
      let thread = TestThread {
        sleeping.wait()
        while !loop.isWaiting { sched_yield() }
        for _ in 0..<100 {
          let timer = GRunLoop.Timer(interval: .seconds(1000), sendableHandler: { _ in })
          loop.add(timer, forMode: .default)
          timer.fireDate = .now.advanced(by: .seconds(500))
          loop.add(GRunLoop.Timer(fireDate: .now, sendableHandler: { _ in }), forMode: "elsewhere")
          loop.add(GRunLoop.Source(sendableHandler: { _ in }), forMode: .default)
          loop.add(
            GRunLoop.DescriptorSource(
              fileDescriptor: pipe.readEnd, events: .readable, sendableHandler: { _, _ in }), forMode: .default)
          loop.perform(inModes: ["elsewhere"]) {}
        }
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
      #expect(wakeUps == 1)
    }
  }
}
