import Foundation
import GLibRunLoop
import RunLoopInstruments

/// An event of a trace file.
struct TraceEvent: Decodable {
  let name: String
  let cat: String
  let ph: String
  let ts: Double
  let dur: Double?
  let tid: Int
  let id: Int?
  let args: [String: Value]?

  /// What an argument may be.
  enum Value: Decodable, Equatable {
    case number(Double), text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  func text(_ name: String) -> String? { if case .text(let text)? = args?[name] { text } else { nil } }
  func number(_ name: String) -> Double? { if case .number(let number)? = args?[name] { number } else { nil } }

  var end: Double { ts + (dur ?? 0) }

  /// The sums are rounded.
  func contains(_ other: TraceEvent) -> Bool { tid == other.tid && ts <= other.ts && other.end <= end + 0.01 }
}

extension [TraceEvent] {
  func named(_ name: String) -> [TraceEvent] { filter { $0.name == name } }
  func on(_ thread: Int) -> [TraceEvent] { filter { $0.tid == thread } }
}

/// A file that is gone with the test.
final class TraceScratch {
  let folder: URL

  init() {
    folder = FileManager.default.temporaryDirectory.appending(path: "glibrunloop-\(UUID().uuidString)")
    try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String = "trace.json") -> String { folder.appending(path: name).path }

  func text(_ name: String = "trace.json") -> String {
    (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
  }

  func events(_ name: String = "trace.json") throws -> [TraceEvent] {
    try JSONDecoder().decode([TraceEvent].self, from: Data(text(name).utf8))
  }

  /// Those of a process that was killed before it could write the end.
  func unfinishedEvents(_ name: String = "trace.json") throws -> [TraceEvent] {
    try JSONDecoder().decode([TraceEvent].self, from: Data((text(name) + "]").utf8))
  }
}

/// The events of all loops while `body` runs.
func traced(_ body: () throws -> Void) throws -> [TraceEvent] {
  let scratch = TraceScratch()
  let trace = try GRunLoop.Trace.start(writingTo: scratch.path())
  defer { trace.stop() }
  try body()
  trace.stop()
  return try scratch.events()
}
