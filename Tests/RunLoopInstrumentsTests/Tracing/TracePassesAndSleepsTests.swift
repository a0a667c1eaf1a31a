import GLibRunLoop
import Glibc
import Testing

@Suite struct TracePassesAndSleepsTests {
  @Test("R1 a trace has passes one after another, with what they contain", arguments: Driver.allCases)
  func passes(_ driver: Driver) async throws {
    try await onLoopThread {
      let events = try traced {
        let drive = Drive(driver)
        drive.loop.perform(name: "first") {
          drive.loop.perform(name: "second") { drive.loop.perform(name: "third", { drive.quit() }) }
        }
        drive.run()
      }
      .on(thisThread)
      let first = try #require(events.named("first").first)
      let second = try #require(events.named("second").first)
      let passes = events.named("pass")
      let itsPass = try #require(passes.first { $0.contains(first) })
      // A later pass, though it was queued before the first one's end.
      let nextPass = try #require(passes.first { $0.contains(second) })
      #expect(nextPass.number("number")! > itsPass.number("number")!)
      for (pass, next) in zip(passes, passes.dropFirst()) { #expect(pass.end <= next.ts + 0.001) }
      if driver == .swift {
        let run = try #require(events.named("run").first)
        #expect(passes.allSatisfy { run.contains($0) })
      }
    }
  }

  @Test(
    "R7 a trace has each sleep, what ended it, and an arrow from the thread that did so", arguments: Driver.allCases)
  func wakes(_ driver: Driver) async throws {
    let (events, perform, sleep) = try await onLoopThread {
      var found: (events: [TraceEvent], perform: TraceEvent, sleep: TraceEvent)?
      // The sleep begins a moment after the loop says that it waits.
      try inTime { pause in
        let events = try traced {
          let worker = DrivenWorker(driver)
          // The first of them lets the loop get its poll function, which tells of sleeps when GLib drives.
          for name in ["warm", "woken by perform"] {
            eventually { worker.loop.isWaiting }
            usleepUninterrupted(pause)
            let done = Gate<Void>()
            worker.loop.perform(name: name) { done.open() }
            done.wait()
          }
          worker.finish()
        }
        let perform = try #require(events.named("woken by perform").first)
        let sleep = try #require(
          events.filter { $0.name == "sleep" && $0.tid == perform.tid && $0.end <= perform.ts }.max { $0.ts < $1.ts })
        found = (events, perform, sleep)
        return sleep.dur! >= pause / .microseconds(2)
      }
      return found!
    }
    let woken = try #require(
      events.first { $0.name == "woken" && $0.tid == perform.tid && $0.ts >= sleep.end && $0.ts <= perform.ts })
    #expect(woken.text("by")!.contains("perform"))
    let arrowEnd = try #require(events.first { $0.ph == "f" && $0.ts == woken.ts && $0.tid == woken.tid })
    let arrowStart = try #require(events.first { $0.ph == "s" && $0.id == arrowEnd.id })
    #expect(arrowStart.tid != arrowEnd.tid && arrowStart.cat == arrowEnd.cat && arrowStart.ts <= arrowEnd.ts)
    #expect(events.contains { $0.name == "wake" && $0.ph == "X" && $0.tid == arrowStart.tid && $0.ts == arrowStart.ts })
  }

  @Test("M7 what is called in a nested run stands in the call-back that runs it", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let events = try traced {
        let drive = Drive(driver)
        drive.loop.perform(inModes: ["inner"], name: "inside") {}
        drive.loop.perform(name: "outside") {
          drive.loop.run(mode: "inner", for: .zero)
          drive.quit()
        }
        drive.run()
      }
      let inside = try #require(events.named("inside").first)
      let outside = try #require(events.on(inside.tid).named("outside").first)
      #expect(outside.contains(inside))
      #expect(inside.text("mode") == "inner" && outside.text("mode") == "default")
    }
  }
}
