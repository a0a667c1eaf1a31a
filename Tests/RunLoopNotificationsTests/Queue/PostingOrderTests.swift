import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct PostingOrderTests {
  @Test("N2, N6 first in, first out; now before asap before idle", arguments: Driver.allCases)
  func order(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("now", "a1", "a2", "a3", "i1", "i2")
      posts.watch("i3") { _ in drive.quit() }
      for name in ["i1", "a1", "i2", "a2", "i3", "a3", "now"] {
        posts.enqueue(name, name == "now" ? .now : name.hasPrefix("a") ? .asap : .whenIdle)
      }
      #expect(posts.log.entries == ["now"])
      drive.run()
      #expect(posts.log.entries == ["now", "a1", "a2", "a3", "i1", "i2", "i3"])
    }
  }

  @Test("N2, N4 the line is one for all modes", arguments: Driver.allCases)
  func acrossModes(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let posts = Posts()
      posts.watch("1", "2", "3")
      posts.watch("4") { _ in drive.quit() }
      posts.enqueue("1", .asap, modes: [.common])
      posts.enqueue("2", .asap, modes: [.default])
      posts.enqueue("3", .asap, modes: ["other", .common])
      posts.enqueue("4", .asap, modes: [.default, .common])
      drive.run()
      #expect(posts.log.entries == ["1", "2", "3", "4"])
    }
  }

  @Test("N2 ten thousand are posted in order")
  func many() async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let posts = Posts()
      let numbers = Log(of: Int.self)
      posts.watch("n") { numbers.append($0.userInfo!["number"] as! Int) }
      for number in 0..<10_000 { posts.enqueue("n", .asap, userInfo: ["number": number]) }
      drive.poll()
      #expect(numbers.entries == Array(0..<10_000))
    }
  }
}
