import GLibRunLoop
import Testing

@Suite struct NestedRunTests {
  private static let modes: [GRunLoop.Mode] = [.default, .modalPanel, "private"]

  @Test("R6 from any call-back, in any mode, the same one too", arguments: pairs(Driver.allCases, Work.allCases))
  func fromCallback(_ driver: Driver, _ work: Work) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: GRunLoop.Mode?.self)
      work.makeReady {
        log.append(loop.currentMode)
        for mode in Self.modes {
          let source = GRunLoop.Source { _ in log.append(loop.currentMode) }
          loop.add(source, forMode: mode)
          source.signal()
          #expect(loop.run(mode: mode, for: .seconds(30), returnAfterSourceHandled: true) == .handledSource)
          source.invalidate()
          log.append(loop.currentMode)
        }
        drive.quit()
      }
      drive.run()
      #expect(log.entries == [.default, .default, .default, .modalPanel, .default, "private", .default])
    }
  }

  @Test("R6 from an observer's call-back too", arguments: Driver.allCases)
  func fromObserver(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: GRunLoop.Mode?.self)
      for activity: GRunLoop.Activities in [.beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting] {
        let observer = GRunLoop.Observer(activities: activity, repeats: false) { _, _ in
          loop.perform(inModes: ["private"]) { log.append(loop.currentMode) }
          #expect(loop.run(mode: "private", for: .seconds(30)) == .finished)
          log.append(loop.currentMode)
        }
        loop.add(observer, forMode: .default)
      }
      let timer = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { _ in if log.count == 8 { drive.quit() } }
      loop.add(timer, forMode: .default)
      drive.run()
      #expect(log.entries == Array(repeating: ["private", .default], count: 4).flatMap { $0 })
    }
  }

  @Test("R6 a hundred deep, each with its own end", arguments: Driver.allCases)
  func deep(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: Int.self)
      let modes = Self.modes
      func nest(_ level: Int) {
        guard level < 100 else { return }
        let mode = modes[level % modes.count]
        let timer = GRunLoop.Timer(fireDate: .now) { _ in
          #expect(loop.currentMode == mode)
          nest(level + 1)
          #expect(loop.currentMode == mode)
          log.append(level)
          loop.stop()
        }
        loop.add(timer, forMode: mode)
        #expect(loop.run(mode: mode, for: .seconds(60)) == .stopped)
      }
      Work.perform.makeReady {
        nest(0)
        drive.quit()
      }
      drive.run(limit: .seconds(100))
      #expect(log.entries == Array((0..<100).reversed()))
    }
  }

  @Test("R6 after the nested run the outer mode's items fire again and the inner's do not", arguments: Driver.allCases)
  func outerComesBack(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let inner = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
        log.append("inner")
        if log.count >= 3 { loop.stop() }
      }
      loop.add(inner, forMode: "private")
      let outer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
        log.append("outer")
        if log.entries.filter({ $0 == "outer" }).count == 3 { drive.quit() }
      }
      loop.add(outer, forMode: .default)
      Work.source.makeReady {
        log.append("nested")
        #expect(loop.run(mode: "private", for: .seconds(30)) == .stopped)
      }
      drive.run()
      #expect(log.entries == ["nested", "inner", "inner", "outer", "outer", "outer"])
    }
  }
}
