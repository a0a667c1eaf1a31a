import GLibRunLoop
import Testing

@Suite struct ObserverRepeatsTests {
  @Test("O2 a repeating observer is called again and again, another once and is gone", arguments: Driver.allCases)
  func repeats(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var calls = (again: 0, once: 0)
      let again = GRunLoop.Observer(activities: .beforeSources) { _, _ in
        calls.again += 1
        if calls.again == 5 { drive.quit() } else { drive.loop.wakeUp() }
      }
      let once = GRunLoop.Observer(activities: [.beforeTimers, .beforeSources], repeats: false) { observer, _ in
        #expect(observer.isValid)
        calls.once += 1
      }
      #expect(again.repeats && !once.repeats)
      drive.loop.add(again, forMode: .default)
      drive.loop.add(once, forMode: .default)
      drive.run()
      #expect(calls.again == 5)
      #expect(calls.once == 1)
      #expect(again.isValid && drive.loop.contains(again, inMode: .default))
      #expect(!once.isValid && !drive.loop.contains(once, inMode: .default))
    }
  }

  @Test("O2 what a gone observer held is let go", arguments: Driver.allCases)
  func freed(_ driver: Driver) async throws {
    final class Held {}
    try await onLoopThread {
      let drive = Drive(driver)
      weak var freed: Held?
      do {
        let held = Held()
        freed = held
        let once = GRunLoop.Observer(activities: .beforeTimers, repeats: false) { _, _ in _ = held }
        drive.loop.add(once, forMode: .default)
      }
      #expect(freed != nil)
      drive.loop.perform { drive.quit() }
      drive.run()
      #expect(freed == nil)
    }
  }
}
