import GLibRunLoop
import Testing

@Suite struct SmokeTests {
  @Test("R1 smoke", arguments: Driver.allCases)
  func smoke(_ driver: Driver) throws {
    try onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      var ticks = 0
      let timer = GRunLoop.Timer(interval: .milliseconds(10), repeats: true) { timer in
        ticks += 1
        log.append("tick")
        if ticks == 3 { drive.quit() }
      }
      let watch = GRunLoop.Observer(activities: .all) { _, activity in log.append("\(activity.rawValue)") }
      loop.add(watch, forMode: .common)
      loop.add(timer, forMode: .common)
      let source = GRunLoop.Source { _ in log.append("source") }
      loop.add(source, forMode: .default)
      source.signal()
      loop.perform { log.append("perform") }
      drive.run()
      print(driver, log.entries.joined(separator: " "))
      print(loop.debugDescription)
      #expect(ticks == 3)
    }
  }
  @Test("P3 wait")
  func wait() throws {
    let worker = LoopWorker()
    let x = try worker.loop.performAndWait { 42 }
    #expect(x == 42)
    worker.finish()
    #expect(throws: GRunLoop.Failure.ended) { try worker.loop.performAndWait { 1 } }
  }
}
