import CGLib
import GLibRunLoop
import Testing

@Suite struct AdoptedContextEndTests {
  @Test("L3, L5 a loop ends with the context that it was made for, and is freed")
  func contextEnds() {
    let log = Log(of: String.self)
    weak var old: GRunLoop?
    func adoptAndEnd() -> GRunLoop.Source {
      let context = g_main_context_new()!
      let loop = GRunLoop.loop(for: context)
      old = loop
      let source = GRunLoop.Source(
        onCancelled: { _, _, mode in log.append("\(mode)") }, sendableHandler: { _ in log.append("fired") })
      loop.add(source, forMode: .common)
      loop.add(source, forMode: "private")
      g_main_context_unref(context)
      #expect(!source.isValid)
      #expect(throws: GRunLoop.Failure.ended) { try loop.performAndWait {} }
      return source
    }
    var source: GRunLoop.Source? = adoptAndEnd()
    #expect(log.entries.sorted() == ["common", "private"])
    // An item holds its loop.
    source?.invalidate()
    source = nil
    #expect(old == nil, "the loop outlives its context")
  }

  @Test("L3, L5 a new context is not taken for the one that was at its address")
  func addressIsReused() throws {
    for round in 0..<200 {
      let host = GLibThread()
      let loop = GRunLoop.loop(for: host.context)
      #expect(try loop.performAndWait(timeout: .seconds(60)) { round } == round)
      host.finish()
      #expect(throws: GRunLoop.Failure.ended) { try loop.performAndWait {} }
    }
  }

  @Test("L3, L5 a loop in somebody's context ends with the thread that drove it, and is freed")
  func threadEnds() throws {
    weak var old: GRunLoop?
    func adoptAndEnd() throws {
      let host = GLibThread()
      let loop = GRunLoop.loop(for: host.context)
      old = loop
      let source = GRunLoop.Source(sendableHandler: { _ in })
      loop.add(source, forMode: .common)
      try loop.performAndWait {}
      #expect(source.isValid)
      host.finish()
      #expect(!source.isValid)
    }
    try adoptAndEnd()
    #expect(old == nil, "the loop outlives its thread")
  }
}
