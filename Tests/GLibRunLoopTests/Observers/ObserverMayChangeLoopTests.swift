import GLibRunLoop
import Testing

@Suite struct ObserverMayChangeLoopTests {
  private static let inGLibsRuns: [GRunLoop.Activities] = [
    .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting,
  ]

  @Test("O3 an observer may add, remove, signal and perform", arguments: pairs(Driver.allCases, inGLibsRuns))
  func changes(_ driver: Driver, _ activity: GRunLoop.Activities) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let done = Log(of: String.self)
      func finish(_ name: String) {
        done.append(name)
        if Set(done.entries).count == 5 { drive.quit() }
      }
      let doomed = GRunLoop.Timer(fireDate: .now) { _ in done.append("a removed timer fired") }
      let signalled = GRunLoop.Source { _ in finish("signalled") }
      loop.add(signalled, forMode: .default)
      let observer = GRunLoop.Observer(activities: activity, repeats: false) { _, _ in
        loop.add(doomed, forMode: .default)
        loop.add(GRunLoop.Timer(fireDate: .now) { _ in finish("timer") }, forMode: .default)
        let source = GRunLoop.Source { _ in finish("source") }
        loop.add(source, forMode: .default)
        source.signal()
        let other = GRunLoop.Observer(activities: .beforeTimers, repeats: false) { _, _ in finish("observer") }
        loop.add(other, forMode: .default)
        signalled.signal()
        nonisolated(unsafe) let finish = finish
        loop.perform { finish("perform") }
        loop.remove(doomed, forMode: .default)
      }
      loop.add(observer, forMode: .default)
      // For the waiting ones the loop must come to sleep and wake.
      loop.addTimerThatEndsSleeps { _ in }
      drive.run()
      #expect(Set(done.entries) == ["signalled", "timer", "source", "observer", "perform"])
    }
  }

  @Test("O3 an observer may stop the loop", arguments: pairs(Driver.allCases, inGLibsRuns))
  func stops(_ driver: Driver, _ activity: GRunLoop.Activities) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch()
      let observer = GRunLoop.Observer(activities: activity, repeats: false, order: 1) { _, _ in drive.quit() }
      drive.loop.add(observer, forMode: .default)
      drive.loop.addTimerThatEndsSleeps { _ in }
      drive.run()
      #expect(!observer.isValid)
      #expect(log.entries.filter { $0 == activity.name }.count == 1)
    }
  }

  @Test("O3 an observer of a run's entry may stop it: it ends, its exit observers called, and no pass is made")
  func stopsAtEntry() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch()
      loop.add(GRunLoop.Observer(activities: .entry, order: 1) { _, _ in loop.stop() }, forMode: .default)
      loop.add(GRunLoop.Source { _ in }, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(30)) == .stopped)
      #expect(log.entries == ["entry", "exit"])
    }
  }
}
