import GLibRunLoop
import Testing

@Suite struct RefusedItemsTests {
  private static func items() -> [GRunLoop.Item] {
    [
      GRunLoop.Source { _ in }, GRunLoop.Timer(interval: .seconds(3600)) { _ in },
      GRunLoop.Observer(activities: .all) { _, _ in },
    ]
  }

  private static func sendableItems() -> [GRunLoop.Item] {
    [
      GRunLoop.Source(sendableHandler: { _ in }), GRunLoop.Timer(interval: .seconds(3600), sendableHandler: { _ in }),
      GRunLoop.Observer(activities: .all, sendableHandler: { _, _ in }),
    ]
  }

  @Test("M1 a mode without a name is refused, for items, performs and runs")
  func emptyName() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      let warnings = CapturedWarnings.during {
        for item in Self.items() {
          #expect(!loop.add(item, forMode: ""))
          #expect(item.isValid && !loop.contains(item, inMode: ""))
          // It was not taken: another mode will do.
          #expect(loop.add(item, forMode: "a"))
        }
        loop.perform(inModes: [""]) { log.append("no mode") }
        #expect(loop.run(mode: "", for: .seconds(3600)) == .finished)
        #expect(!loop.run(mode: "", before: .distantFuture))
        loop.hostMode = ""
      }
      #expect(warnings.count == 7)
      // Among others that have names it is left out.
      let one = CapturedWarnings.during { loop.perform(inModes: ["", "a"]) { log.append("one mode") } }
      loop.run(mode: "a", for: .zero)
      #expect(one.count == 1 && log.entries == ["one mode"])
      #expect(loop.hostMode == .default)
    }
  }

  @Test("M3 an item lives in one loop: another one refuses it, also after it was removed")
  func twoLoops() async throws {
    let worker = LoopWorker()
    let items = Self.sendableItems()
    try await onLoopThread {
      for item in items {
        #expect(worker.loop.add(item, forMode: .default))
        let warnings = CapturedWarnings.during { #expect(!GRunLoop.current.add(item, forMode: .default)) }
        #expect(warnings.count == 1 && warnings[0].contains("another loop"))
        #expect(item.loop === worker.loop && worker.loop.contains(item, inMode: .default))
        worker.loop.remove(item, forMode: .default)
        _ = CapturedWarnings.during { #expect(!GRunLoop.current.add(item, forMode: .default)) }
        // Neither asking nor removing by way of the wrong loop does anything.
        #expect(worker.loop.add(item, forMode: .default))
        GRunLoop.current.remove(item, forMode: .default)
        #expect(!GRunLoop.current.contains(item, inMode: .default))
        #expect(worker.loop.contains(item, inMode: .default))
      }
    }
    worker.finish()
  }

  @Test("M3 an item that was invalidated is refused, whether it was in a loop before or not")
  func invalidated() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let known = Self.items()
      for item in known { loop.add(item, forMode: "a") }
      for item in known + Self.items() {
        item.invalidate()
        item.invalidate()
        #expect(!item.isValid && !loop.contains(item, inMode: "a"))
        let warnings = CapturedWarnings.during { #expect(!loop.add(item, forMode: "a")) }
        #expect(warnings.count == 1 && warnings[0].contains("invalidated"))
      }
      #expect(loop.run(mode: "a", for: .zero) == .finished)
    }
  }

  @Test("L4 an item whose handler is not Sendable is refused on another thread, a sendable one is not")
  func wrongThread() async throws {
    let worker = LoopWorker()
    try await onLoopThread {
      for item in Self.items() {
        // Onto another thread's loop from here, and onto one's own loop from there.
        let warnings = CapturedWarnings.during { #expect(!worker.loop.add(item, forMode: .default)) }
        #expect(warnings.count == 1 && warnings[0].contains("sendableHandler"))
        let loop = GRunLoop.current
        let others = try worker.loop.performAndWait {
          CapturedWarnings.during {
            #expect(!loop.add(item, forMode: .default))
            #expect(!worker.loop.add(item, forMode: .default))
          }
        }
        #expect(others.count == 2)
        #expect(item.isValid && loop.add(item, forMode: .default))
      }
      for item in Self.sendableItems() { #expect(worker.loop.add(item, forMode: .default)) }
    }
    worker.finish()
  }

  @Test("L2, L4 an item of the main actor's is refused everywhere but on the main loop")
  func mainActor() async throws {
    try await onLoopThread {
      let items: [GRunLoop.Item] = [
        GRunLoop.Source(handler: { @MainActor _ in }),
        GRunLoop.Timer(interval: .seconds(3600), handler: { @MainActor _ in }),
        GRunLoop.Observer(activities: .all, handler: { @MainActor _, _ in }),
      ]
      for item in items {
        let warnings = CapturedWarnings.during { #expect(!GRunLoop.current.add(item, forMode: .default)) }
        #expect(warnings.count == 1 && warnings[0].contains("GRunLoop.main"))
      }
    }
  }
}
