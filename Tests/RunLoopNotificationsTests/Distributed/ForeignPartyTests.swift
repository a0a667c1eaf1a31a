import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct ForeignPartyTests {
  @Test("D5 gdbus can send one, with values of any D-Bus type that a property list has", arguments: Driver.allCases)
  func emit(_ driver: Driver) async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let drive = Drive(driver)
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      var heard: Notification?
      try center.addObserver(forName: .init("news"), object: "paper") {
        heard = $0
        drive.quit()
      }
      try bus.emit("'news'", "'other'", "@a{sv} {}", "uint32 0")
      try bus.emit(
        "'news'", "'paper'",
        "{'n': <int32 7>, 'names': <['a', 'b']>, 'sizes': <{'x': 1.5}>, 'path': <objectpath '/a'>, 'v': <<true>>, "
          + "'bytes': <b'ab'>, 'at': <('Date', <0.0>)>}", "uint32 0")
      drive.run()
      let info = try #require(heard?.userInfo)
      #expect(heard?.object as? String == "paper")
      #expect(info["n"] as? Int32 == 7)
      #expect(info["names"] as? [String] == ["a", "b"])
      #expect(info["sizes"] as? [String: Double] == ["x": 1.5])
      #expect(info["path"] as? String == "/a")
      #expect(info["v"] as? Bool == true)
      #expect(info["bytes"] as? Data == Data([97, 98, 0]))
      #expect(info["at"] as? Date == Date(timeIntervalSinceReferenceDate: 0))
    }
  }

  @Test("D5 dbus-monitor shows what is posted, in the documented form")
  func monitor() async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let monitor = try bus.monitor()
      let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
      try center.post(
        name: .init("news"), object: "paper", userInfo: ["n": 7, "d": [Float(0.5)]], deliverImmediately: true)
      var text = ""
      while let line = monitor.line() {
        text += line.split(separator: " ").joined(separator: " ") + "\n"
        if line.contains("uint32") { break }
      }
      #expect(
        text.contains(
          "path=/org/glibrunloop/DistributedNotificationCenter; "
            + "interface=org.glibrunloop.DistributedNotificationCenter; member=Posted\nstring \"news\"\nstring \"paper\"\n"
        ))
      #expect(text.contains("string \"n\"\nvariant int64 7\n"))
      #expect(text.contains("variant struct {\nstring \"Float\"\nvariant double 0.5\n}"))
      #expect(text.contains("uint32 1\n"))
    }
  }
}
