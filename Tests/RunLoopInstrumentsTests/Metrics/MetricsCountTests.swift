import Foundation
import GLibRunLoop
import Glibc
import RunLoopInstruments
import Testing

@Suite struct MetricsCountTests {
  @Test("metrics count call-backs by kind, with what they took and how late they were", arguments: Driver.allCases)
  func callbacks(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      loop.collectsMetrics = true
      defer { loop.collectsMetrics = false }
      var ticks = 0
      let tick = GRunLoop.Timer(fireDate: .now - .milliseconds(3), interval: .milliseconds(5), repeats: true) { tick in
        ticks += 1
        usleep(1000)
        guard ticks == 4 else { return }
        tick.invalidate()
        loop.perform(after: .milliseconds(50)) { drive.quit() }
      }
      tick.name = "tick"
      loop.add(tick, forMode: .default)
      for _ in 0..<7 { loop.perform(name: "work") {} }
      drive.run()
      let metrics = loop.metrics
      func count(_ kind: String) -> UInt64 { metrics.calls.first { $0.kind == kind }?.count ?? 0 }
      #expect(count("Timer") >= 5 && count("perform") == 7)
      let cost = try #require(metrics.slowest.first { $0.name == "tick" })
      #expect(cost.count == 4 && cost.longestNanoseconds >= 1_000_000 && cost.totalNanoseconds >= 4_000_000)
      #expect(cost.place?.hasPrefix("RunLoopInstrumentsTests/MetricsCountTests.swift:") ?? false)
      #expect(metrics.slowest.map(\.longestNanoseconds) == metrics.slowest.map(\.longestNanoseconds).sorted(by: >))
      #expect(metrics.timerLateness.longestNanoseconds >= 3_000_000)
      #expect(metrics.performLateness.count == 7)
      #expect(metrics.durations.count == metrics.calls.reduce(0) { $0 + $1.count })
      #expect(metrics.busyNanoseconds >= 4_000_000 && metrics.busyShare > 0 && metrics.busyShare < 1)
      #expect(metrics.mostPerformsQueued == 7)
      #expect(metrics.passes >= 3)
    }
  }

  @Test("R7 metrics count sleeps, their length, and what ended them", arguments: Driver.allCases)
  func sleeps(_ driver: Driver) async throws {
    try await onLoopThread {
      // A sleep begins a moment after the loop says that it waits.
      inTime { pause in
        let worker = DrivenWorker(driver)
        worker.loop.collectsMetrics = true
        // The first lets the loop get its poll function, which tells of sleeps when GLib drives.
        for _ in 0..<6 {
          eventually { worker.loop.isWaiting }
          usleepUninterrupted(pause)
          let done = Gate<Void>()
          worker.loop.perform { done.open() }
          done.wait()
        }
        eventually { worker.loop.isWaiting }
        let metrics = worker.loop.metrics
        worker.finish()
        #expect(metrics.sleeps >= 4)
        #expect(metrics.wakesByReason["perform"] ?? 0 >= 4)
        #expect(metrics.wakeUps >= 5)
        #expect(metrics.isWaiting && !metrics.hasEnded && metrics.mode == "default")
        return .nanoseconds(metrics.sleptNanoseconds) >= pause * 4
      }
    }
  }

  @Test("what a nested run takes is not its call-back's time", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      drive.loop.collectsMetrics = true
      defer { drive.loop.collectsMetrics = false }
      drive.loop.add(GRunLoop.Source { _ in }, forMode: "nested")
      try inTime(from: .milliseconds(300)) { time in
        // Begins anew.
        drive.loop.collectsMetrics = false
        drive.loop.collectsMetrics = true
        drive.loop.perform(name: "nests") {
          drive.loop.run(mode: "nested", for: time)
          drive.quit()
        }
        drive.run()
        let metrics = drive.loop.metrics
        let cost = try #require(metrics.slowest.first { $0.name == "nests" })
        // What a busy machine adds is less than a long time.
        return .nanoseconds(cost.longestNanoseconds) < time && .nanoseconds(metrics.sleptNanoseconds) >= time * 0.8
      }
    }
  }

  @Test("metrics of an ended loop, and of one that does not collect, have what waits only")
  func off() async throws {
    let worker = LoopWorker()
    worker.loop.perform(inModes: ["never"]) {}
    worker.loop.add(GRunLoop.Timer(interval: .seconds(1000), sendableHandler: { _ in }), forMode: "never")
    let metrics = worker.loop.metrics
    #expect(metrics.collectedNanoseconds == 0 && metrics.passes == 0 && metrics.calls.isEmpty)
    let mode = try #require(metrics.modes.first { $0.mode == "never" })
    #expect(mode.items == 1 && mode.timers == 1 && mode.performs == 1 && !mode.isCommon && mode.signals == 0)
    #expect(metrics.performsQueued == 1)
    worker.finish()
    worker.loop.collectsMetrics = true
    #expect(worker.loop.metrics.hasEnded && !worker.loop.collectsMetrics)
  }
}
