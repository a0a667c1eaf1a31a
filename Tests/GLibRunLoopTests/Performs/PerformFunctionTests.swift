import GLibRunLoop
import Testing

@Suite struct PerformFunctionTests {
  @Test("P1, P8 a C function is called with its data, in its turn, as an input source", arguments: Driver.allCases)
  func called(_ driver: Driver) async throws {
    try await onLoopThread {
      let worker = DrivenWorker(driver)
      let log = Log(of: Int.self)
      let data = Unmanaged.passRetained(log)
      worker.loop.perform { log.append(1) }
      worker.loop.perform({ Unmanaged<Log<Int>>.fromOpaque($0!).takeUnretainedValue().append(2) }, data.toOpaque())
      worker.loop.perform { log.append(3) }
      worker.loop.perform({ Unmanaged<Log<Int>>.fromOpaque($0!).takeRetainedValue().append(4) }, data.toOpaque())
      try worker.loop.performAndWait {}
      worker.finish()
      #expect(log.entries == [1, 2, 3, 4])
      let loop = GRunLoop.current
      loop.perform({ _ in }, nil)
      #expect(loop.run(mode: .default, for: .seconds(30), returnAfterSourceHandled: true) == .handledSource)
    }
  }
}
