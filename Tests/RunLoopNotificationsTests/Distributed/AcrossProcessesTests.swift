import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct AcrossProcessesTests {
  @Test("D1 another process hears a post by name and object")
  func post() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let peer = try bus.peer("observe", "news", "paper", "2")
      #expect(peer.line() == "ready")
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      try center.post(name: .init("news"), object: "radio", userInfo: ["tag": "no"])
      try center.post(name: .init("news"), userInfo: ["tag": "no"])
      try center.post(name: .init("weather"), object: "paper", userInfo: ["tag": "no"])
      try center.post(name: .init("news"), object: "paper", userInfo: ["tag": "a", "number": 1])
      try center.post(name: .init("news"), object: "paper")
      #expect(peer.line() == "paper a 1")
      #expect(peer.line() == "paper - -")
      #expect(peer.finish() == 0)
    }
  }

  @Test(
    "D1, D2 posts of several processes come on the observer's loop, in each one's order", arguments: Driver.allCases)
  func observe(_ driver: Driver) async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(driver)
      let loop = drive.loop
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      var numbers: [String: [Int]] = [:]
      var count = 0
      // Two observers: what they hear together is one line.
      for name in ["even", "odd"] {
        try center.addObserver(forName: .init(name)) { notification in
          #expect(loop.isCurrent)
          numbers[notification.userInfo!["tag"] as! String, default: []].append(
            notification.userInfo!["number"] as! Int)
          count += 1
          if count == 600 { drive.quit() }
        }
      }
      let peers = try ["a", "b"].map { try bus.peer("post", "even", "", "200", $0) }
      for number in 0..<200 {
        try center.post(
          name: .init(number % 2 == 0 ? "even" : "odd"), userInfo: ["tag": "self", "number": number])
      }
      drive.run()
      #expect(numbers == ["a": Array(0..<200), "b": Array(0..<200), "self": Array(0..<200)])
      for peer in peers { #expect(peer.finish() == 0) }
    }
  }

  @Test("D1 a process that posts and ends at once is heard")
  func postAndExit() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(.swift)
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      var objects: [String] = []
      try center.addObserver(forName: .init("bye")) {
        objects.append($0.object as! String)
        if objects.count == 5 { drive.quit() }
      }
      for number in 1...5 { #expect(try bus.peer("post", "bye", "\(number)", "1", "t").finish() == 0) }
      drive.run()
      #expect(objects == ["1", "2", "3", "4", "5"])
    }
  }
}
