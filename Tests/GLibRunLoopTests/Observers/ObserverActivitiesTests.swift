import GLibRunLoop
import Testing

@Suite struct ObserverActivitiesTests {
  private static let documented: [(GRunLoop.Activities, UInt)] = [
    (.entry, 1), (.beforeTimers, 2), (.beforeSources, 4), (.beforeWaiting, 32), (.afterWaiting, 64), (.exit, 128),
  ]

  @Test("O1 the activities have the documented values", arguments: documented)
  func values(_ activity: GRunLoop.Activities, _ value: UInt) {
    #expect(activity.rawValue == value)
  }

  @Test("O1 all activities are the six together")
  func all() {
    #expect(GRunLoop.Activities.all.rawValue == 1 + 2 + 4 + 32 + 64 + 128)
  }

  @Test("O1 an observer hears of what it asked for, and of one activity a call")
  func asked() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var heard: [GRunLoop.Activities: Set<GRunLoop.Activities>] = [:]
      let wanted = Self.documented.map(\.0) + [[.entry, .exit], [.beforeTimers, .afterWaiting]]
      for activities in wanted {
        let observer = GRunLoop.Observer(activities: activities) { observer, activity in
          heard[observer.activities, default: []].insert(activity)
        }
        #expect(observer.activities == activities)
        loop.add(observer, forMode: .default)
      }
      loop.addTimerThatEndsSleeps { timer in timer.invalidate() }
      loop.run()
      for activities in wanted {
        let single = Self.documented.map(\.0).filter { activities.contains($0) }
        #expect(heard[activities] == Set(single))
      }
    }
  }
}
