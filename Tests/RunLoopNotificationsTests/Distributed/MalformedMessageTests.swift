import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct MalformedMessageTests {
  static let messages: [([String], String)] = [
    (["'news'"], "of the form (s)"),
    (["'news'", "''", "{'a': 'b'}", "uint32 0"], "of the form (ssa{ss}u)"),
    (["'news'", "''", "{'n': <(1, 2)>}", "uint32 0"], "a value of the D-Bus type (ii)"),
    (["'news'", "''", "{'n': <{1: 2}>}", "uint32 0"], "a value of the D-Bus type a{ii}"),
    (["'news'", "''", "{'n': <('Date', <'today'>)>}", "uint32 0"], "a \"Date\" of the D-Bus type s"),
    (["'news'", "''", "{'n': <('Int8', <int16 200>)>}", "uint32 0"], "a \"Int8\" of the D-Bus type n"),
    (["'news'", "''", "{'n': <'LONG'>}", "uint32 0"], "limits allow 65536"),
  ]

  @Test("D4 a malformed or over-long message is a diagnostic, and the next one is heard", arguments: messages)
  func message(_ values: [String], _ complaint: String) async throws {
    try await onLoopThread {
      let bus = try SessionBus()
      let peer = try bus.peer("observe", "news", "", "1")
      #expect(peer.line() == "ready")
      try bus.emit(values.map { $0.replacingOccurrences(of: "LONG", with: String(repeating: "x", count: 70_000)) })
      #expect(peer.complaint(with: "GLibRunLoop-WARNING")?.contains(complaint) == true)
      try bus.emit("'news'", "''", "{'tag': <'good'>}", "uint32 0")
      #expect(peer.line() == "- good -")
      #expect(peer.finish() == 0)
    }
  }
}
