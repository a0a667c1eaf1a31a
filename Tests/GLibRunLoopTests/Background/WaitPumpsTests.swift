import GLibRunLoop
import Testing

@Suite struct WaitPumpsTests {
  @Test("A2 waiting pumps the loop in the mode, and ends with post", arguments: Driver.allCases)
  func pumps(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      drive.loop.perform {
        let release = Gate<Void>()
        let task = GRunLoop.BackgroundTask(background: { release.wait() }, post: { _ in log.append("post") })
        task.start()
        let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
          log.append("timer")
          release.open()
        }
        drive.loop.add(timer, forMode: .default)
        #expect(task.wait())
        log.append("waited")
        #expect(task.wait(), "it is over already")
        drive.quit()
      }
      drive.run()
      #expect(log.entries == ["timer", "post", "waited"])
    }
  }

  @Test(
    "A2, M6 waiting in a private mode hears the task, its progress too, and nothing else", arguments: Driver.allCases)
  func privateMode(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      drive.loop.perform {
        let seen = Gate<Void>()
        let task = GRunLoop.BackgroundTask(
          background: { report in
            report(1)
            seen.wait()
          },
          progress: { (_: Int) in
            log.append("progress")
            seen.open()
          }, post: { (_: Result<Void, any Error>) in log.append("post") })
        task.start()
        drive.loop.perform { log.append("other") }
        #expect(task.wait(mode: "waiting"))
        log.append("waited")
        drive.loop.perform { drive.quit() }
      }
      drive.run()
      #expect(log.entries == ["progress", "post", "waited", "other"])
    }
  }

  @Test("A2 a wait has a limit, and the task goes on after it", arguments: Driver.allCases)
  func limit(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      drive.loop.perform {
        let release = Gate<Void>()
        let task = GRunLoop.BackgroundTask(background: { release.wait() }, post: { _ in drive.quit() })
        task.start()
        let limit = GRunLoop.Instant.now + .milliseconds(5)
        #expect(!task.wait(until: limit))
        #expect(.now >= limit)
        #expect(!task.wait(until: .distantPast))
        release.open()
      }
      drive.run()
    }
  }

  @Test("A2, R5 a stop ends the wait, not the task and not the run around it", arguments: Driver.allCases)
  func stop(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      drive.loop.perform {
        let release = Gate<Void>()
        let task = GRunLoop.BackgroundTask(background: { release.wait() }, post: { _ in drive.quit() })
        task.start()
        // In a handler of a source, so that the stop and the handled source come in one pass.
        let loop = drive.loop
        let source = GRunLoop.Source { _ in loop.stop() }
        loop.add(source, forMode: .default)
        source.signal()
        #expect(!task.wait())
        source.invalidate()
        #expect(!task.isOver)
        release.open()
      }
      drive.run()
    }
  }
}
