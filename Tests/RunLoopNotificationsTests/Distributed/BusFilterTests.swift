import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct BusFilterTests {
  @Test("D2 the bus is asked for the names and objects that are observed, and for no others")
  func rules() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      let first = try center.addObserver(forName: .init("aName"), object: "anObject") { _ in }
      let second = try center.addObserver(forName: .init("aName"), object: "anObject") { _ in }
      let third = try center.addObserver(forName: nil, object: "alone") { _ in }
      var rules = try bus.matchRules()
      #expect(rules.components(separatedBy: "arg0='aName',arg1='anObject'").count == 2)
      #expect(rules.contains("arg1='alone'"))
      center.removeObserver(first)
      #expect(try bus.matchRules().contains("aName"))
      for observation in [second, second, third] { center.removeObserver(observation) }
      // The bus is told without waiting for its answer; a post comes after.
      try center.post(name: .init("x"))
      #expect(
        eventually {
          rules = (try? bus.matchRules()) ?? "aName"
          return !rules.contains("aName") && !rules.contains("alone")
        })
    }
  }

  @Test("D2 names and objects may hold any character", arguments: ["it's", "a,b='c'", "\\", "ü'\\'", " "])
  func quoting(_ text: String) async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(.swift)
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      var heard: [String] = []
      try center.addObserver(forName: .init(text), object: text) {
        heard.append($0.name.rawValue + ($0.object as! String))
        drive.quit()
      }
      try center.post(name: .init("other"), object: text)
      try center.post(name: .init(text), object: text)
      drive.run()
      #expect(heard == [text + text])
    }
  }

  @Test("D2 an observer of all names or all objects hears all")
  func all() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(.swift)
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      let log = Log(of: String.self)
      func say(_ who: String) -> (Notification) -> Void {
        {
          log.append("\(who) \($0.name.rawValue) \($0.object ?? "-")")
          if $0.name.rawValue == "end" && who == "all" { drive.quit() }
        }
      }
      try center.addObserver(forName: .init("a"), using: say("a"))
      try center.addObserver(forName: nil, object: "o", using: say("o"))
      try center.addObserver(forName: nil, using: say("all"))
      try center.post(name: .init("a"), object: "o")
      try center.post(name: .init("b"), object: "o")
      try center.post(name: .init("a"))
      try center.post(name: .init("end"))
      drive.run()
      // Each once, though the bus knows several rules that fit.
      #expect(
        log.entries == ["a a o", "o a o", "all a o", "o b o", "all b o", "a a -", "all a -", "all end -"])
    }
  }
}
