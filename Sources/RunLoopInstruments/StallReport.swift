import CGLib
import GLibRunLoop
import Glibc

extension GRunLoop.StallDetector.Report {
  func give(_ stall: GRunLoop.Stall) {
    switch self {
    case .standardError: Self.write("GLibRunLoop: \(stall)\n")
    case .log: Self.log(stall)
    case .call(let body): body(stall)
    }
  }

  /// Not through stdio, whose lock the thread that is kept may hold.
  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private static func log(_ stall: GRunLoop.Stall) {
    let place = stall.place?.split(separator: ":")
    var fields = [
      ("MESSAGE", "\(stall)"), ("PRIORITY", "4"), ("GLIB_DOMAIN", "GLibRunLoop"),
      ("GRUNLOOP_ITEM", stall.name ?? stall.kind), ("GRUNLOOP_STALL_US", "\(stall.duration.wholeNanoseconds / 1000)"),
      ("GRUNLOOP_OVER", stall.isOver ? "1" : "0"),
    ]
    if let place, place.count == 2 {
      fields += [("CODE_FILE", String(place[0])), ("CODE_LINE", String(place[1]))]
    }
    if !stall.stack.isEmpty { fields.append(("GRUNLOOP_STACK", stall.stack.joined(separator: "\n"))) }
    let texts = fields.map { (strdup($0.0)!, strdup($0.1)!) }
    defer {
      for (key, value) in texts {
        free(key)
        free(value)
      }
    }
    let records = texts.map { GLogField(key: UnsafePointer($0.0), value: UnsafeRawPointer($0.1), length: -1) }
    g_log_structured_array(G_LOG_LEVEL_WARNING, records, gsize(records.count))
  }
}
