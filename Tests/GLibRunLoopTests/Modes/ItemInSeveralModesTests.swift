import GLibRunLoop
import Testing

@Suite struct ItemInSeveralModesTests {
  @Test("M3 an item in several modes fires in each of them, and not in others", arguments: Driver.allCases)
  func severalModes(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: GRunLoop.Mode?.self)
      let source = GRunLoop.Source { _ in fired.append(loop.currentMode) }
      let timer = GRunLoop.Timer(fireDate: .distantFuture, interval: .seconds(3600), repeats: true) { _ in
        fired.append(loop.currentMode)
      }
      for mode: GRunLoop.Mode in ["a", "b", .default] {
        #expect(loop.add(source, forMode: mode))
        #expect(loop.add(timer, forMode: mode))
      }
      // Somebody else keeps this mode going.
      loop.add(GRunLoop.Source { _ in }, forMode: "c")
      for mode: GRunLoop.Mode in ["a", "b", "c", .default] {
        source.signal()
        timer.fireDate = .now
        driver.poll(loop, mode: mode)
      }
      #expect(fired.entries == ["a", "a", "b", "b", .default, .default])
    }
  }

  @Test("M3 one event in several modes fires once: in the first that a run comes to", arguments: Driver.allCases)
  func oneEventFiresOnce(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: String.self)
      let source = GRunLoop.Source { _ in fired.append("source") }
      let timer = GRunLoop.Timer(fireDate: .now) { _ in fired.append("timer") }
      let observer = GRunLoop.Observer(activities: .beforeTimers, repeats: false) { _, _ in fired.append("observer") }
      for item in [source, timer, observer] {
        // In a mode, and by way of the common set a second time.
        for mode: GRunLoop.Mode in ["a", .default, .common] { loop.add(item, forMode: mode) }
      }
      loop.perform(inModes: ["a", .default, .common]) { fired.append("perform") }
      source.signal()
      for mode: GRunLoop.Mode in [.default, "a", .modalPanel] { driver.poll(loop, mode: mode) }
      #expect(fired.entries.sorted() == ["observer", "perform", "source", "timer"])
    }
  }

  @Test("M3 adding twice to one mode changes nothing", arguments: Driver.allCases)
  func addedTwice(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let source = GRunLoop.Source(
        onScheduled: { _, _, mode in log.append("scheduled \(mode)") },
        onCancelled: { _, _, mode in log.append("cancelled \(mode)") }
      ) { _ in log.append("fired") }
      let order = GRunLoop.Observer(activities: .beforeSources) { _, _ in log.append("first") }
      let second = GRunLoop.Observer(activities: .beforeSources) { _, _ in log.append("second") }
      for item in [source, order, second, order, source] { #expect(loop.add(item, forMode: "a")) }
      #expect(log.entries == ["scheduled a"])
      source.signal()
      #expect(loop.run(mode: "a", for: .zero) == .timedOut)
      // Called once, and at its old place among its equals.
      #expect(log.entries == ["scheduled a", "first", "second", "fired"])
      // One removal is enough.
      loop.remove(source, forMode: "a")
      #expect(log.entries.last == "cancelled a")
      #expect(!loop.contains(source, inMode: "a"))
      #expect(loop.run(mode: "a", for: .zero) == .finished)
      loop.remove(source, forMode: "a")
      #expect(log.count == 5)
    }
  }

  @Test("M3 removing from one mode leaves the others, and it can come back", arguments: Driver.allCases)
  func removedFromOne(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let fired = Log(of: GRunLoop.Mode?.self)
      let source = GRunLoop.Source { _ in fired.append(loop.currentMode) }
      loop.add(source, forMode: "a")
      loop.add(source, forMode: "b")
      loop.remove(source, forMode: "a")
      source.signal()
      driver.poll(loop, mode: "a")
      #expect(fired.entries.isEmpty && source.isSignalled)
      driver.poll(loop, mode: "b")
      loop.add(source, forMode: "a")
      source.signal()
      driver.poll(loop, mode: "a")
      #expect(fired.entries == ["b", "a"])
    }
  }
}
