import CGLib
import GLibRunLoop
import Testing

@Suite struct LoopEndTests {
  private final class Token: Sendable {}

  /// What a test still sees of things that ought to be gone.
  private final class Remains: @unchecked Sendable {
    // Written by the thread that ends, read after it was joined.
    weak var loop: GRunLoop?
    weak var captured: Token?
    var items: [GRunLoop.Item] = []
  }

  @Test("L5 items are cancelled with the thread, once for each mode", arguments: Driver.allCases)
  func itemsAreCancelled(_ driver: Driver) {
    let log = Log(of: String.self)
    let remains = Remains()
    let pipe = BytePipe()
    TestThread {
      let drive = Drive(driver)
      let token = Token()
      remains.captured = token
      let source = GRunLoop.Source(onCancelled: { _, _, mode in log.append("\(mode)") }) { _ in _ = token }
      drive.loop.add(source, forMode: .default)
      drive.loop.add(source, forMode: "private")
      drive.loop.add(source, forMode: .common)
      remains.items = [
        source, GRunLoop.Timer(interval: .seconds(3600), repeats: true) { _ in _ = token },
        GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in _ = token },
        GRunLoop.Observer(activities: .all) { _, _ in _ = token },
      ]
      for item in remains.items { drive.loop.add(item, forMode: "private") }
      drive.loop.perform { drive.quit() }
      drive.run()
      #expect(log.entries.isEmpty)
      #expect(remains.items.allSatisfy { $0.isValid })
    }.join()
    #expect(log.entries.sorted() == ["common", "default", "private"])
    #expect(!remains.items.contains { $0.isValid })
    #expect(remains.captured == nil, "a handler outlives its loop")
  }

  @Test("L5 the loop and its context go with the thread, and what GLib code attached there", arguments: Driver.allCases)
  func memoryGoes(_ driver: Driver) {
    let remains = Remains()
    TestThread {
      let drive = Drive(driver)
      remains.loop = drive.loop
      let token = Token()
      remains.captured = token
      // Call-backs often hold the loop that they are called on.
      let loop = drive.loop
      Foreign.timeout(milliseconds: 3_600_000) {
        _ = (token, loop)
        return true
      }.attach(to: loop.context)
      loop.add(
        Foreign.timeout(milliseconds: 3_600_000) {
          _ = (token, loop)
          return true
        }, forMode: "private")
      drive.loop.add(GRunLoop.Timer(interval: .seconds(3600)) { _ in _ = token }, forMode: .common)
      // Some of every kind of thing that a loop makes on its way.
      drive.loop.run(mode: "private", for: .zero)
      drive.loop.perform(inModes: ["private"], priority: .idle) { _ = remains.captured }
      let observer = GRunLoop.Observer(activities: .all) { _, _ in _ = token }
      drive.loop.add(observer, forMode: .default)
      drive.loop.perform { drive.quit() }
      drive.run()
    }.join()
    #expect(remains.loop == nil, "the loop outlives its thread")
    #expect(remains.captured == nil, "the context outlives its thread, or a closure does")
  }

  @Test("L5 the ended loop refuses all work, and says so")
  func refusesLater() async throws {
    let loop = try await onLoopThread { GRunLoop.current }
    let log = Log(of: String.self)
    let source = GRunLoop.Source(sendableHandler: { _ in log.append("source") })
    let warnings = CapturedWarnings.during { #expect(!loop.add(source, forMode: .common)) }
    #expect(warnings.count == 1 && warnings[0].contains("ended"))
    #expect(throws: GRunLoop.Failure.ended) { try loop.performAndWait { log.append("waited for") } }
    weak var captured: Token?
    func perform() {
      let token = Token()
      captured = token
      loop.perform {
        _ = token
        log.append("performed")
      }
    }
    perform()
    #expect(captured == nil)
    loop.wakeUp()
    loop.stop()
    source.signal()
    #expect(log.entries.isEmpty)
  }
}
