import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct SuspensionTests {
  typealias Behavior = GRunLoop.DistributedNotificationCenter.SuspensionBehavior

  /// A suspended centre, whose observers of "n" write down what they hear.
  private final class Scene {
    let bus: SessionBus
    let drive: Drive
    let center: GRunLoop.DistributedNotificationCenter
    let log = Log(of: String.self)

    init(_ driver: Driver, _ observers: [(String, Behavior)]) throws {
      bus = try SessionBus()
      drive = Drive(driver)
      center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      for (name, behavior) in observers {
        try center.addObserver(forName: .init("n"), suspensionBehavior: behavior) { [log] in
          log.append("\(name) \($0.object!)")
        }
      }
      center.suspended = true
    }

    func post(_ objects: String..., immediately: Bool = false) throws {
      for object in objects { try center.post(name: .init("n"), object: object, deliverImmediately: immediately) }
    }

    /// Until a last notification was delivered in spite of the suspension.
    func runToMark() throws {
      try center.addObserver(forName: .init("mark"), suspensionBehavior: .deliverImmediately) { [self] _ in
        log.append("mark")
        drive.quit()
      }
      try center.post(name: .init("mark"))
      drive.run()
    }
  }

  @Test(
    "D3 while suspended some drop, some keep the last of each name and object, some keep all",
    arguments: Driver.allCases)
  func behaviours(_ driver: Driver) async throws {
    try await onLoopThread {
      let scene = try Scene(driver, [("drop", .drop), ("coalesce", .coalesce), ("hold", .hold)])
      try scene.post("a", "b", "a")
      try scene.runToMark()
      // What is delivered at once takes with it, first, what is kept.
      #expect(scene.log.entries == ["hold a", "coalesce b", "hold b", "coalesce a", "hold a", "mark"])
      #expect(scene.center.suspended)
    }
  }

  @Test("D3 what is kept is delivered when the centre goes on, and not before", arguments: Driver.allCases)
  func resumed(_ driver: Driver) async throws {
    try await onLoopThread {
      let scene = try Scene(driver, [("hold", .hold), ("drop", .drop)])
      try scene.post("a", "b", "a")
      scene.drive.run(for: .milliseconds(200))
      #expect(scene.log.entries.isEmpty)
      scene.center.suspended = false
      #expect(!scene.center.suspended)
      try scene.runToMark()
      #expect(scene.log.entries.filter { $0.hasPrefix("hold") } == ["hold a", "hold b", "hold a"])
      try scene.post("c")
      try scene.runToMark()
      #expect(scene.log.entries.contains("drop c"))
    }
  }

  @Test("D3 a post may be delivered immediately to all", arguments: Driver.allCases)
  func urgent(_ driver: Driver) async throws {
    try await onLoopThread {
      let scene = try Scene(driver, [("drop", .drop), ("coalesce", .coalesce), ("hold", .hold)])
      try scene.post("a")
      try scene.post("b", immediately: true)
      try scene.runToMark()
      #expect(scene.log.entries == ["coalesce a", "hold a", "drop b", "coalesce b", "hold b", "mark"])
    }
  }

  @Test("D3 what is kept is bounded: the oldest go")
  func bounded() async throws {
    try await onLoopThread {
      let scene = try Scene(.swift, [("hold", .hold)])
      scene.center.limits.held = 2
      try scene.post("a", "b", "c")
      try scene.runToMark()
      #expect(scene.log.entries == ["hold b", "hold c", "mark"])
    }
  }
}
