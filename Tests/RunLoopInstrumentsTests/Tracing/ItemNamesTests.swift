import GLibRunLoop
import Testing

@Suite struct ItemNamesTests {
  @Test("R9 an item's name is in debugDescription, can be changed, and ends with the item", arguments: 0..<2)
  func names(_ round: Int) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let timer = GRunLoop.Timer(interval: .seconds(1000)) { _ in }
      #expect(timer.name == nil)
      loop.add(timer, forMode: .default)
      timer.name = "reload"
      #expect(loop.debugDescription.contains("\"reload\""))
      timer.name = "save"
      #expect(timer.name == "save" && !loop.debugDescription.contains("reload"))
      timer.name = nil
      #expect(timer.name == nil)
      timer.invalidate()
      // Many that take each other's place in memory.
      for index in 0..<100 {
        let source = GRunLoop.Source { _ in }
        #expect(source.name == nil)
        source.name = "\(index)"
      }
    }
  }
}
