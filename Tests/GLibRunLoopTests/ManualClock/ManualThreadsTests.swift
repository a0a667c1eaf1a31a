import GLibRunLoop
import Testing

@Suite struct ManualThreadsTests {
  @Test("L1 each thread has its own time; the clock is read from any")
  func own() async throws {
    try await inManualTime { clock in
      let before = clock.now
      clock.advance(by: .seconds(3600))
      TestThread {
        #expect(clock.now == before + .seconds(3600) && clock.now(on: .wall).timebase == .wall)
        #expect(GRunLoop.Instant.now < before + .seconds(3000))
        GRunLoop.withManualClock { other in
          other.advance(by: .seconds(7200))
          #expect(.now == other.now && other.now > clock.now)
        }
        #expect(GRunLoop.Instant.now < before + .seconds(3000))
      }.join()
      #expect(.now == before + .seconds(3600))
    }
  }

  @Test("P4 a delay asked by another thread passes in the loop's time", arguments: Driver.allCases)
  func performs(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      clock.advance(by: .seconds(3600))
      let start = clock.now
      let log = Log(of: Duration.self)
      TestThread { loop.perform(after: .seconds(10)) { log.append(clock.now - start) } }.join()
      clock.advance(by: .seconds(20), through: driver.mover)
      #expect(log.entries == [.seconds(10)])
    }
  }

  @Test("T2 a date that another thread adds or moves is not passed over", arguments: Driver.allCases)
  func added(_ driver: Driver) async throws {
    try await inManualTime { clock in
      let loop = clock.loop
      let end = clock.now + .seconds(1000)
      let log = Log(of: Bool.self)
      loop.add(GRunLoop.Timer(interval: .microseconds(100), repeats: true) { _ in }, forMode: .default)
      let thread = TestThread {
        for _ in 0..<200 {
          let timer = GRunLoop.Timer(
            fireDate: clock.now + .milliseconds(1), sendableHandler: { log.append($0.fireDate <= clock.now) })
          loop.add(timer, forMode: .default)
        }
        loop.perform { loop.perform(after: .milliseconds(2)) { log.append(true) } }
      }
      while log.count < 201 && clock.now < end { clock.advance(by: .milliseconds(10), through: driver.mover) }
      thread.join()
      #expect(log.count == 201 && log.entries.allSatisfy { $0 })
    }
  }

  @Test("T9 after the end the machine's time is back", arguments: Driver.allCases)
  func ended(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let before = GRunLoop.Instant.now
      let clock = GRunLoop.ManualClock()
      clock.advance(by: .seconds(3600), through: driver.mover)
      let kept = GRunLoop.Timer(fireDate: .now) { _ in Issue.record("its date has not come") }
      drive.loop.add(kept, forMode: .default)
      clock.end()
      clock.end()
      #expect(GRunLoop.Instant.now < before + .seconds(3000))
      let start = GRunLoop.Instant.now
      drive.loop.add(GRunLoop.Timer(interval: .milliseconds(5)) { _ in drive.quit() }, forMode: .default)
      drive.run()
      #expect(.now >= start + .milliseconds(5))
      kept.invalidate()
    }
  }

  @Test("L5 a thread that ends with its clock on takes it along")
  func threadEnds() async throws {
    let lives = LifeCount()
    try await onLoopThread {
      let life = lives.token()
      _ = GRunLoop.ManualClock(onStall: { _ in life.touch() })
    }
    #expect(lives.value == 0)
  }
}
