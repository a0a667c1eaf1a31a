import Foundation
import GLibRunLoop
import Glibc
import RunLoopNotifications
import Testing

@Suite struct BusLostTests {
  typealias Center = GRunLoop.DistributedNotificationCenter

  @Test("D4 without a bus a post is an error, and an observer hears once there is one")
  func noBus() async throws {
    try await onLoopThread {
      let bus = try SessionBus(isStarted: false)
      let center = Center(busAddress: bus.address)
      var problem = ""
      do { try center.post(name: .init("n")) } catch { problem = "\(error)" }
      #expect(problem.contains("cannot be reached"))
      let peer = try bus.peer("observe", "news", "", "1")
      #expect(peer.complaint(with: "not heard until there is a session bus") != nil)
      #expect(peer.line() == "ready")
      try bus.start()
      // It looks again by itself; nobody can tell when it has.
      #expect(eventually { (try? bus.matchRules().contains("news")) == true })
      try center.post(name: .init("news"), userInfo: ["tag": "late"])
      #expect(peer.line() == "- late -")
      #expect(peer.finish() == 0)
    }
  }

  @Test("D4 after a restart of the bus observers hear again, and posts go through", arguments: Driver.allCases)
  func restart(_ driver: Driver) async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(driver)
      let center = Center(busAddress: bus.address)
      let peer = try bus.peer("observe", "news", "", "2")
      #expect(peer.line() == "ready")
      var heard: [String] = []
      try center.addObserver(forName: .init("news")) {
        heard.append($0.userInfo!["tag"] as! String)
        drive.quit()
      }
      try center.post(name: .init("news"), userInfo: ["tag": "before"])
      drive.run()
      #expect(peer.line() == "- before -")
      bus.stop()
      #expect(peer.complaint(with: "not heard until the session bus is back") != nil)
      // Both need not know yet that it is gone.
      #expect(eventually { (try? center.post(name: .init("x"))) == nil })
      try bus.start()
      #expect(eventually { ((try? bus.matchRules()) ?? "").components(separatedBy: "arg0='news'").count == 3 })
      try center.post(name: .init("news"), userInfo: ["tag": "after"])
      drive.run()
      #expect(peer.line() == "- after -")
      #expect(peer.finish() == 0)
      #expect(heard == ["before", "after"])
    }
  }

  @Test("D4 a bus that does not answer holds nobody up for longer than the limit")
  func stoppedBus() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      bus.signal(SIGSTOP)
      defer { bus.signal(SIGCONT) }
      let center = Center(busAddress: bus.address)
      center.limits.busTimeout = .milliseconds(200)
      var problem = ""
      do { try center.post(name: .init("n")) } catch { problem = "\(error)" }
      #expect(problem.contains("cannot be reached"))
    }
  }
}
