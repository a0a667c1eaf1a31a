import CGLib
import GLibRunLoop
import Testing

@Suite struct ForeignSourceLifeTests {
  private final class Token: Sendable {}

  @Test("M8 removing it from one mode leaves the others; from the last one it goes", arguments: Driver.allCases)
  func removed(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let seen = Log(of: GRunLoop.Mode?.self)
      weak var captured: Token?
      func add() -> GRunLoop.ForeignSource {
        let token = Token()
        captured = token
        let source = Foreign.timeout(milliseconds: 0) {
          _ = token
          seen.append(loop.currentMode)
          return true
        }
        loop.add(source, forMode: "a")
        defer { g_source_unref(source) }
        return loop.add(source, forMode: .default)
      }
      let item = add()
      loop.add(GRunLoop.Source { _ in }, forMode: "a")
      loop.remove(item, forMode: "a")
      driver.poll(loop, mode: "a")
      #expect(seen.entries.isEmpty && item.isValid)
      driver.poll(loop, mode: .default)
      #expect(Set(seen.entries) == [.default])
      let count = seen.count
      loop.remove(item, forMode: .default)
      for mode: GRunLoop.Mode in ["a", .default] { driver.poll(loop, mode: mode) }
      #expect(seen.count == count && !item.isValid)
      #expect(captured == nil, "the call-back was not freed")
    }
  }

  @Test("M8 what its owner destroys leaves its modes, and nothing is left behind", arguments: Driver.allCases)
  func destroyed(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = g_timeout_source_new(3_600_000)!
      weak var item: GRunLoop.ForeignSource?
      func add() { item = loop.add(source, forMode: "a") }
      add()
      #expect(item?.isValid == true)
      g_source_destroy(source)
      driver.poll(loop, mode: "a")
      #expect(item == nil || item?.isValid == false)
      #expect(loop.run(mode: "a", for: .seconds(5)) == .finished)
      #expect(item == nil, "the item outlives its source")
      g_source_unref(source)
    }
  }

  @Test(
    "M8, L4 it can be added and invalidated from another thread, and wakes the loop there", arguments: Driver.allCases)
  func fromAnotherThread(_ driver: Driver) throws {
    let worker = DrivenWorker(driver)
    let calls = Gate<Bool>()
    let box = Box(loop: worker.loop, calls: calls)
    defer { withExtendedLifetime(box) {} }
    for mode: GRunLoop.Mode in [.default, .common] {
      for _ in 0..<100 {
        let source = g_timeout_source_new(0)!
        g_source_set_callback(
          source,
          { box in
            let box = Unmanaged<Box>.fromOpaque(box!).takeUnretainedValue()
            box.calls.open(box.loop.isCurrent)
            return 0
          }, Unmanaged.passUnretained(box).toOpaque(), nil)
        worker.loop.add(source, forMode: mode)
        g_source_unref(source)
        #expect(calls.wait())
      }
    }
    let never = g_timeout_source_new(3_600_000)!
    let item = worker.loop.add(never, forMode: .default)
    item.invalidate()
    #expect(!item.isValid)
    #expect(try worker.loop.performAndWait { 1 } == 1)
    g_source_unref(never)
    worker.finish()
  }

  private final class Box: Sendable {
    let loop: GRunLoop
    let calls: Gate<Bool>

    init(loop: GRunLoop, calls: Gate<Bool>) {
      self.loop = loop
      self.calls = calls
    }
  }
}
