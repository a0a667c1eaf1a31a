import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct ObserverLifeTests {
  typealias Center = GRunLoop.DistributedNotificationCenter

  @Test("D2 delivery is in the common modes, and held in others", arguments: Driver.allCases)
  func modes(_ driver: Driver) async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let loop = GRunLoop.current
      let center = Center(busAddress: bus.address)
      let log = Log(of: String.self)
      try center.addObserver(forName: .init("n")) { _ in log.append("heard") }
      // It comes to this thread's other observer at the same time, at the latest.
      let other = LoopWorker()
      let arrived = Gate<Void>()
      try center.addObserver(forName: .init("n"), on: other.loop) { _ in arrived.open() }
      try center.post(name: .init("n"))
      arrived.wait()
      for _ in 0..<3 { driver.poll(loop, mode: "private") }
      #expect(log.entries.isEmpty)
      let limit = GRunLoop.Instant.now + .seconds(30)
      while log.count == 0 && GRunLoop.Instant.now < limit { driver.poll(loop, mode: .modalPanel) }
      #expect(log.entries == ["heard"])
      other.finish()
    }
  }

  @Test("D2 an observer keeps its loop running; one that was taken out is not called, and is freed")
  func removed() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let loop = GRunLoop.current
      let center = Center(busAddress: bus.address)
      let life = LifeCount()
      let log = Log(of: String.self)
      var observations: [Center.Observation] = []
      for number in 0..<2 {
        let token = life.token()
        observations.append(
          try center.addObserver(forName: .init("n")) { _ in
            token.touch()
            log.append("\(number)")
            for observation in observations { center.removeObserver(observation) }
          })
      }
      try center.post(name: .init("n"))
      stopIfHung { loop.run() }
      // The second one was on its way already.
      #expect(log.entries == ["0"])
      observations = []
      #expect(life.value == 0)
    }
  }

  @Test("D2, L5 observers go with their loop")
  func loopEnds() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let center = Center(busAddress: bus.address)
      let life = LifeCount()
      TestThread {
        let token = life.token()
        do { try center.addObserver(forName: .init("gone")) { _ in token.touch() } } catch { Issue.record(error) }
      }.join()
      #expect(eventually { life.value == 0 })
      #expect(eventually { (try? bus.matchRules().contains("gone")) == false })
    }
  }

  @Test("D2 a centre that is let go of ends its thread and its observers")
  func centerFreed() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let loop = GRunLoop.current
      let life = LifeCount()
      var center: Center? = Center(busAddress: bus.address)
      let token = life.token()
      try center!.addObserver(forName: .init("n")) { _ in token.touch() }
      center = nil
      // Nothing is left to wait for.
      stopIfHung { loop.run() }
      #expect(
        eventually {
          loop.run(until: .distantPast); return life.value <= 1
        })
    }
  }

  @Test("D2 the oldest go when a loop does not come to its notifications")
  func blocked() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(.swift)
      let center = Center(busAddress: bus.address)
      center.limits.queued = 3
      var heard: [String] = []
      try center.addObserver(forName: .init("n")) { heard.append($0.object as! String) }
      let other = LoopWorker()
      let arrived = Gate<Void>()
      // Added last: it hears of the last one after the first observer's loop was told of it.
      try center.addObserver(forName: .init("n"), object: "9", on: other.loop) { _ in arrived.open() }
      for number in 0..<10 { try center.post(name: .init("n"), object: "\(number)") }
      arrived.wait()
      drive.poll()
      #expect(heard == ["7", "8", "9"])
      other.finish()
    }
  }
}
