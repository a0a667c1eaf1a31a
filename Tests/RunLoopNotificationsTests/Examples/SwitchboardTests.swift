import Foundation
import Testing

@Suite struct SwitchboardTests {
  @Test("D1 X3 X6 operators find each other and talk; one is killed and comes back, and the others go on")
  func scene() throws {
    let bus = try SessionBus()
    let place = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let program = place.deletingLastPathComponent().appendingPathComponent("Switchboard").path
    let show = try ChildProgram("/usr/bin/env", ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)", program, "--show"])
    var lines: [String] = []
    while let line = show.line() { lines.append(line) }
    #expect(show.finish() == 0)
    let text = lines.joined(separator: "\n")
    #expect(!text.contains("\u{1B}"), "a pipe is no terminal")
    #expect(!text.contains("failed"))
    /// What one of them says after the line that is found first, if it does.
    func index(_ who: String, _ what: String, after: Int = -1) -> Int? {
      lines.indices.first { $0 > after && lines[$0].contains(" \(who) ") && lines[$0].contains("│ \(what)") }
    }
    // Each learns of the others, whoever came first.
    for (who, other) in [
      ("anna", "bruno"), ("anna", "clara"), ("bruno", "anna"), ("clara", "anna"), ("clara", "bruno"),
    ] {
      #expect(index(who, "\(other) is here") != nil, "\(who) never heard of \(other)")
    }
    // Which of two processes is read first is chance: only lines of one are in order.
    #expect(index("bruno", "anna asks: Any news from the north?") != nil)
    let called = try #require(index("anna", "→ bruno: Any news from the north?"))
    #expect(index("anna", "← bruno: Snow on the pass, and the mail is late. (", after: called) != nil)
    let died = try #require(index("anna", "the line to bruno is dead"))
    #expect(index("clara", "the line to bruno is dead") != nil)
    let wentOn = try #require(index("anna", "← clara", after: died))
    let back = try #require(index("anna", "bruno is here", after: wentOn))
    #expect(index("clara", "bruno asks", after: back) != nil && index("bruno", "← clara", after: back) != nil)
    // The end is no death.
    #expect(index("anna", "bruno goes off duty", after: back) != nil)
    #expect(index("anna", "the line to bruno is dead", after: back) == nil)
  }
}
