import GLibRunLoop
import Testing

@Suite struct SleepForNothingIsNoPassTests {
  @Test("O4, O5, R8 a loop's first sleep ends with what it waits for", arguments: Driver.allCases)
  func firstSleep(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch(.beforeSources)
      let timer = GRunLoop.Timer(interval: .milliseconds(20)) { _ in
        log.append("timer")
        drive.quit()
      }
      drive.loop.add(timer, forMode: .default)
      drive.run()
      #expect(log.entries.prefix(2) == ["beforeSources", "timer"])
    }
  }

  @Test("O4 what another thread ends is freed, and no observer hears of it")
  func itemEndedElsewhere() async throws {
    let freed = Gate<Void>()
    let log = Log(of: String.self)
    let timer = GRunLoop.Timer(interval: .seconds(300), sendableHandler: { [token = Token(freed)] _ in token.touch() })
    let worker = LoopWorker { loop in
      loop.add(timer, forMode: .default)
      log.watch([.beforeWaiting, .afterWaiting])
    }
    // The sleep that observers were told of, not the look before it.
    while !log.entries.contains("beforeWaiting") || !worker.loop.isWaiting {}
    timer.invalidate()
    freed.wait()
    let finished = Gate<[String]>()
    worker.loop.perform { finished.open(log.entries) }
    let entries = finished.wait()
    worker.finish()
    // The one that the perform ended.
    #expect(entries.filter { $0 == "afterWaiting" }.count == 1)
  }

  private final class Token: Sendable {
    private let gate: Gate<Void>

    init(_ gate: Gate<Void>) { self.gate = gate }
    deinit { gate.open() }

    func touch() {}
  }

  @Test("R8, O4 a timer that another thread moves to later: the sleep goes on until it is due")
  func movedLater() async throws {
    inTime(from: .milliseconds(200)) { time in
      let log = Log(of: String.self)
      let fired = Gate<[String]>()
      let timer = GRunLoop.Timer(
        interval: time,
        sendableHandler: { _ in
          log.append("timer")
          fired.open(log.entries)
        })
      let worker = LoopWorker { loop in
        loop.add(timer, forMode: .default)
        log.watch([.beforeWaiting, .afterWaiting])
      }
      while !worker.loop.isWaiting && timer.isValid {}
      timer.fireDate = timer.fireDate + time / 2
      let entries = fired.wait()
      worker.finish()
      // On a loaded machine it may have come before the loop's first sleep.
      if entries == ["timer"] { return false }
      // Or before it was moved; never is there a sleep in between.
      #expect(entries == ["beforeWaiting", "afterWaiting", "timer"])
      return true
    }
  }
}
