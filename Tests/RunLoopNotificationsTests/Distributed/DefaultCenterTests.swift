import Foundation
import RunLoopNotifications
import Testing

@Suite struct DefaultCenterTests {
  @Test("D1 the default centre is that of the session's bus, and the main actor observes there")
  func session() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let observer = try SessionBus.peer(inSessionOf: bus, "observe", "news", "paper", "1")
      #expect(observer.line() == "ready")
      let poster = try SessionBus.peer(inSessionOf: bus, "post", "news", "paper", "1", "t")
      #expect(poster.finish() == 0)
      #expect(observer.line() == "paper t 0")
      #expect(observer.finish() == 0)
    }
  }

  @Test("D4 in a session without a bus a post fails, with words that help")
  func noSession() async throws {
    try await onLoopThread {
      let poster = try SessionBus.peer(inSessionOf: nil, "post", "news", "paper", "1", "t")
      #expect(poster.line()?.contains("DBUS_SESSION_BUS_ADDRESS") == true)
      #expect(poster.finish() == 1)
    }
  }
}
