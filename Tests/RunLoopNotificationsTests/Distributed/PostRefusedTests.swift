import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct PostRefusedTests {
  typealias Center = GRunLoop.DistributedNotificationCenter

  private static func failure(_ body: () throws -> Void) -> Center.Failure? {
    do { try body() } catch { return error as? Center.Failure }
    return nil
  }

  @Test(
    "D4 names and objects that cannot travel are refused", arguments: ["", "a\0b", String(repeating: "n", count: 256)])
  func names(_ bad: String) async throws {
    try await onLoopThread {
      let center = Center(busAddress: "unix:path=/nonexistent")
      let refused = Center.Failure.invalidName(bad)
      #expect(Self.failure { try center.post(name: .init(bad)) } == refused)
      #expect(Self.failure { try center.post(name: .init("n"), object: bad) } == refused)
      #expect(Self.failure { try center.addObserver(forName: .init(bad)) { _ in } } == refused)
      #expect(Self.failure { try center.addObserver(forName: nil, object: bad) { _ in } } == refused)
    }
  }

  @Test("D4 what is no property list is refused, and the error says where it is")
  func values() async throws {
    try await onLoopThread {
      let center = Center(busAddress: "unix:path=/nonexistent")
      var deep: Any = "bottom"
      for _ in 0..<15 { deep = [deep] }
      let cases: [(Any, String)] = [
        (["a": [1, URL(fileURLWithPath: "/")]], "a value of type URL at user info.a[1]"),
        (["a": ["b": "x\0y"]], "a zero byte in a string at user info.a.b"),
        ([1: "a"], "a key of type Int in user info"), (["a": deep], "too many levels"),
      ]
      for (value, words) in cases {
        let failure = Self.failure { try center.post(name: .init("n"), userInfo: value as? [AnyHashable: Any]) }
        #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
      }
    }
  }

  @Test("D4 the size of a message is limited, and the limit can be changed")
  func size() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(.swift)
      let center = Center(busAddress: bus.address)
      var count = 0
      try center.addObserver(forName: .init("n")) {
        count = ($0.userInfo!["data"] as! Data).count
        drive.quit()
      }
      let data = Data(count: 3 << 20)
      guard
        case .tooLarge(let size, 1 << 20) = Self.failure({ try center.post(name: .init("n"), userInfo: ["data": data]) }
        )
      else {
        Issue.record("it was not refused")
        return
      }
      #expect(size > data.count)
      center.limits.messageSize = 4 << 20
      #expect(center.limits.messageSize == 4 << 20)
      try center.post(name: .init("n"), userInfo: ["data": data])
      drive.run()
      #expect(count == data.count)
    }
  }
}
