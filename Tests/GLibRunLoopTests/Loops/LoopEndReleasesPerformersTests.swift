import CGLib
import GLibRunLoop
import Testing

@Suite struct LoopEndReleasesPerformersTests {
  @Test("L5, P3 performers that wait when the thread ends get an error")
  func waitingPerformers() {
    let made = Gate<GRunLoop>()
    let leave = Gate<Void>()
    // It never runs its loop, so that every perform waits until the end.
    let thread = TestThread {
      made.open(.current)
      leave.wait()
    }
    let loop = made.wait()
    let outcomes = Log(of: String.self)
    let about = Gate<Void>()
    let performers = (0..<8).map { number in
      TestThread {
        about.open()
        do {
          try loop.performAndWait { outcomes.append("ran") }
          outcomes.append("returned")
        } catch {
          outcomes.append("\((error as? GRunLoop.Failure) == .ended ? "ended" : "\(error)")")
        }
      }
    }
    for _ in performers { about.wait() }
    // The performers that have not come so far find a loop that has ended: no other outcome either.
    loop.waitUntilPerformsAreQueued()
    leave.open()
    for performer in performers { performer.join() }
    thread.join()
    #expect(outcomes.entries == Array(repeating: "ended", count: performers.count))
  }

  @Test("L5, P3 none hangs whatever the moment: performs race with the end of the thread", arguments: Driver.allCases)
  func race(_ driver: Driver) {
    for round in 0..<200 {
      let made = Gate<GRunLoop>()
      let thread = TestThread {
        let drive = Drive(driver)
        made.open(drive.loop)
        for _ in 0..<(round % 4) { drive.poll() }
      }
      let loop = made.wait()
      let ran = Log(of: Int.self)
      let performers = (0..<2).map { number in
        TestThread {
          do {
            let value = try loop.performAndWait { () -> Int in
              ran.append(number)
              return number
            }
            #expect(value == number && ran.entries.contains(number))
          } catch {
            #expect(error as? GRunLoop.Failure == .ended)
            #expect(!ran.entries.contains(number))
          }
        }
      }
      for performer in performers { performer.join() }
      thread.join()
    }
  }

  @Test("L5, L3 likewise when a thread of GLib's ends that ran an adopted context")
  func adoptedThreadEnds() {
    let host = GLibThread()
    let loop = GRunLoop.loop(for: host.context)
    let quitting = Gate<Void>()
    let queued = Gate<Void>()
    loop.perform {
      // The thread is held in here until the end is certain. At this priority nothing else is dispatched with it.
      Foreign.idle(priority: G_PRIORITY_LOW) {
        host.quit()
        quitting.open()
        queued.wait()
        return false
      }.attach(to: loop.context)
    }
    quitting.wait()
    let (performer, outcome) = Self.performer(on: loop)
    loop.waitUntilPerformsAreQueued()
    queued.open()
    host.join()
    performer.join()
    #expect(outcome.entries == [.ended])
  }

  @Test("L5, L3 likewise when an adopted context ends that nobody runs")
  func adoptedContextEnds() {
    let context = g_main_context_new()!
    let loop = GRunLoop.loop(for: context)
    let (performer, outcome) = Self.performer(on: loop)
    loop.waitUntilPerformsAreQueued()
    g_main_context_unref(context)
    performer.join()
    #expect(outcome.entries == [.ended])
  }

  private static func performer(on loop: GRunLoop) -> (TestThread, Log<GRunLoop.Failure?>) {
    let outcome = Log(of: GRunLoop.Failure?.self)
    let thread = TestThread {
      do {
        try loop.performAndWait { () -> Void in Issue.record("it ran") }
        outcome.append(nil)
      } catch { outcome.append(error as? GRunLoop.Failure) }
    }
    return (thread, outcome)
  }
}

extension GRunLoop {
  /// Until a perform waits in one of its queues, or for a good while.
  fileprivate func waitUntilPerformsAreQueued() {
    let limit = Instant.now.advanced(by: .seconds(10))
    while !debugDescription.contains("performs queued"), Instant.now < limit { g_thread_yield() }
  }
}
