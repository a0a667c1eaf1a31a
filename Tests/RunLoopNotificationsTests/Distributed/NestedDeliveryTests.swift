import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct NestedDeliveryTests {
  @Test("D2, R6 an observer may run the loop, which delivers what has come", arguments: Driver.allCases)
  func nested(_ driver: Driver) async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(driver)
      let loop = drive.loop
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      let log = Log(of: String.self)
      try center.addObserver(forName: .init("n")) { notification in
        let object = notification.object as! String
        log.append(object)
        if object == "first" {
          loop.run(mode: .default, for: .seconds(60))
          log.append("end of the run inside")
        }
        if object == "inside" { loop.stop() }
        if object == "last" { drive.quit() }
      }
      // Another loop's observer hears of the last but one when this loop has been told, too.
      let other = LoopWorker()
      let arrived = Gate<Void>()
      try center.addObserver(forName: .init("n"), object: "inside", on: other.loop) { _ in arrived.open() }
      for object in ["first", "second", "inside"] { try center.post(name: .init("n"), object: object) }
      arrived.wait()
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { timer in
        guard log.entries.last == "end of the run inside" else { return }
        timer.invalidate()
        do { try center.post(name: .init("n"), object: "last") } catch { Issue.record(error) }
      }
      loop.add(timer, forMode: .default)
      drive.run()
      #expect(log.entries == ["first", "second", "inside", "end of the run inside", "last"])
      other.finish()
    }
  }
}
