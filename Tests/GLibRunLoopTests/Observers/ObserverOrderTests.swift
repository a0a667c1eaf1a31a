import GLibRunLoop
import Testing

@Suite struct ObserverOrderTests {
  @Test("O2 ascending order, equal orders as they were added, also across the common set", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      func add(_ name: String, order: Int, mode: GRunLoop.Mode) {
        let observer = GRunLoop.Observer(activities: .beforeSources, repeats: false, order: order) { _, _ in
          log.append(name)
        }
        drive.loop.add(observer, forMode: mode)
      }
      add("last", order: .max, mode: .default)
      add("equal 1", order: 0, mode: .common)
      add("equal 2", order: 0, mode: .default)
      add("late", order: 7, mode: .common)
      add("equal 3", order: 0, mode: .common)
      add("first", order: -7, mode: .default)
      add("equal 4", order: 0, mode: .default)
      drive.loop.perform { drive.quit() }
      drive.run()
      #expect(log.entries == ["first", "equal 1", "equal 2", "equal 3", "equal 4", "late", "last"])
    }
  }

  @Test("O2 one that was taken out and added again keeps to its order", arguments: Driver.allCases)
  func addedAgain(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Int.self)
      let observers = [3, 1, 2].map { order in
        GRunLoop.Observer(activities: .beforeSources, repeats: false, order: order) { _, _ in log.append(order) }
      }
      for observer in observers { drive.loop.add(observer, forMode: .default) }
      drive.loop.remove(observers[1], forMode: .default)
      drive.loop.add(observers[1], forMode: .default)
      drive.loop.perform { drive.quit() }
      drive.run()
      #expect(log.entries == [1, 2, 3])
    }
  }

  @Test("O2 in two of the loop's modes at once it is called once", arguments: Driver.allCases)
  func inTwoModes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      let other = log.watch(.beforeSources, mode: .common)
      drive.loop.add(other, forMode: .default)
      let end = GRunLoop.Observer(activities: .beforeSources, repeats: false, order: 1) { _, _ in drive.quit() }
      drive.loop.add(end, forMode: .default)
      drive.loop.perform {}
      drive.run()
      #expect(log.entries == ["beforeSources"])
    }
  }
}
