import CGLib
import GLibRunLoop
import Testing

@Suite struct WaitingPairsTests {
  @Test("O4, O5 each turn has the same order, with a strict pair around each sleep", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch([.beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting])
      var fires = 0
      drive.loop.addTimerThatEndsSleeps { _ in
        log.append("timer")
        fires += 1
        if fires == 3 { drive.quit() }
      }
      drive.run()
      let turn = ["beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "timer"]
      let turns = turn + turn + turn
      #expect(Array(log.entries.prefix(turns.count)) == turns)
    }
  }

  @Test("O4, O5 after waiting comes before whatever woke the loop", arguments: pairs(Driver.allCases, Work.allCases))
  func beforeNews(_ driver: Driver, _ work: Work) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let pipe = BytePipe()
      log.watch([.beforeWaiting, .afterWaiting])
      let sleeping = Gate<Void>()
      let asleep = GRunLoop.Observer(activities: .beforeWaiting, repeats: false) { _, _ in sleeping.open() }
      loop.add(asleep, forMode: .default)
      func done() {
        log.append("work")
        drive.quit()
      }
      let source = GRunLoop.Source(sendableHandler: { _ in
        log.append("work")
        drive.quit()
      })
      loop.add(source, forMode: .default)
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in done() }
      switch work {
      case .timer: loop.addTimerThatEndsSleeps { _ in done() }
      case .descriptor: loop.add(descriptor, forMode: .default)
      case .foreign:
        Foreign.readable(pipe.readEnd) {
          done()
          return false
        }.attach(to: loop.context)
      case .source, .perform: break
      }
      let waker = TestThread {
        sleeping.wait()
        // The timer may have come, and the run be over.
        if work != .timer { while !loop.isWaiting { sched_yield() } }
        switch work {
        case .timer: break
        case .descriptor, .foreign: pipe.put()
        case .source: source.signal()
        case .perform:
          loop.perform {
            log.append("work")
            drive.quit()
          }
        }
      }
      drive.run()
      waker.join()
      #expect(Array(log.entries.prefix(3)) == ["beforeWaiting", "afterWaiting", "work"])
      #expect(log.entries.filter { $0 == "work" }.count == 1)
    }
  }

  @Test("O5 while something is always ready there is no sleep to tell of", arguments: Driver.allCases)
  func busy(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      var turns = 0
      Foreign.idle {
        turns += 1
        if turns == 200 { drive.quit() }
        return turns < 200
      }.attach(to: drive.loop.context)
      drive.run()
      #expect(turns == 200)
      #expect(log.entries.isEmpty)
    }
  }

  @Test("O5 pairs stay strict over sleeps that foreign sources end", arguments: Driver.allCases)
  func foreignWakes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      var turns = 0
      Foreign.timeout(milliseconds: 10) {
        turns += 1
        log.append("foreign")
        let isOver = turns >= 5 && log.entries.contains("afterWaiting")
        if isOver { drive.quit() }
        return !isOver
      }.attach(to: drive.loop.context)
      drive.run()
      // A slow machine may find one due without a sleep, or sleep twice for it.
      var isAsleep = false
      for entry in log.entries {
        #expect(isAsleep == (entry == "afterWaiting"), "\(log.entries)")
        isAsleep = entry == "beforeWaiting"
      }
      #expect(log.entries.last == "foreign")
    }
  }
}
