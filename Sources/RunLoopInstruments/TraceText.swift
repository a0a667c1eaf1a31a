import CRunLoopShims
import GLibRunLoop
import Glibc

/// Records as trace-event JSON. (The format's page is "Trace Event Format", of the Catapult project.)
struct TraceText {
  private var json = JSONText()
  private var isBegun = false
  private var namedThreads: Set<Int32> = []

  mutating func take() -> [UInt8] { json.take() }

  mutating func end() -> [UInt8] {
    if !isBegun { json.raw("[") }
    json.raw("\n]\n")
    return json.take()
  }

  mutating func append(_ record: Record) {
    name(record.thread)
    switch record.kind {
    case .woken:
      event("i", "woken", record) { json in
        json.field("s", "t")
        json.next("args")
        json.object { $0.field("by", WakeReasons(rawValue: record.detail).names.joined(separator: ", ")) }
      }
      if record.number > 0 { flow("f", record, at: record.start) }
    case .wake:
      slice("wake", record) { $0.field("thread", Int32(bitPattern: record.detail)) }
      flow("s", record, at: record.start)
    case .lost:
      event("i", "\(record.detail) records lost", record) { $0.field("s", "p") }
    default:
      let label = Labels[record.label]
      slice(Self.name(of: record, label), record) { json in
        if record.mode != Labels.none { json.field("mode", Labels[record.mode].name ?? "") }
        if record.lateness >= 0 { json.microseconds("lateness_us", record.lateness) }
        if let place = label.place { json.field(record.kind == .call(.perform) ? "queued at" : "added at", place.text) }
        if record.kind == .pass { json.field("number", record.number) }
        if record.kind == .call(.observer) { json.field("activity", Self.activity(record.detail)) }
        if record.kind == .call(.descriptor) { json.field("descriptor", record.detail) }
        if record.isOpen { json.field("unfinished", "yes") }
      }
    }
  }

  // MARK: Events

  private mutating func event(
    _ phase: String, _ name: String, _ record: Record, at time: Int64? = nil, _ body: (inout JSONText) -> Void
  ) {
    json.raw(isBegun ? ",\n" : "[\n")
    isBegun = true
    json.object { json in
      json.field("name", name)
      json.field("cat", record.kind.category)
      json.field("ph", phase)
      json.microseconds("ts", time ?? record.start)
      json.field("pid", getpid())
      json.field("tid", record.thread)
      body(&json)
    }
  }

  private mutating func slice(_ name: String, _ record: Record, _ arguments: (inout JSONText) -> Void) {
    event("X", name, record) { json in
      json.microseconds("dur", record.duration)
      json.next("args")
      json.object(arguments)
    }
  }

  /// An arrow from the thread that wakes to the loop that it woke.
  private mutating func flow(_ phase: String, _ record: Record, at time: Int64) {
    var record = record
    // An arrow's two ends are found by their category and number.
    record.kind = .wake
    event(phase, "wake", record, at: time) { json in
      json.field("id", record.number)
      if phase == "f" { json.field("bp", "e") }
    }
  }

  private mutating func name(_ thread: Int32) {
    guard let name = ThreadNames[thread], namedThreads.insert(thread).inserted else { return }
    event("M", "thread_name", Record(kind: .run, thread: thread, start: 0)) { json in
      json.next("args")
      json.object { $0.field("name", name) }
    }
  }

  // MARK: Words

  static func name(of record: Record, _ label: Label) -> String {
    if let name = label.name { return name }
    let kind = record.kind.name
    switch record.kind {
    case .run, .pass, .sleep, .call(.foreignWork), .call(.mainQueue), .call(.job): return kind
    default: break
    }
    if let function = Symbols.name(of: label.function) { return "\(kind) of \(function)" }
    guard let place = label.place else { return kind }
    let file = "\(place.file)".split(separator: "/").last ?? ""
    return "\(kind) of \(file):\(place.line)"
  }

  static func activity(_ bits: UInt32) -> String {
    switch GRunLoop.Activities(rawValue: UInt(bits)) {
    case .entry: "entry"
    case .beforeTimers: "beforeTimers"
    case .beforeSources: "beforeSources"
    case .beforeWaiting: "beforeWaiting"
    case .afterWaiting: "afterWaiting"
    default: "exit"
    }
  }
}

extension Record.Kind {
  /// For people.
  var name: String {
    switch self {
    case .run: "run"
    case .pass: "pass"
    case .sleep: "sleep"
    case .call(let call): call.name
    case .woken: "woken"
    case .wake: "wake"
    case .lost: "lost"
    }
  }

  fileprivate var category: String { isCallback ? "callback" : name }
}

extension ProbedCall.Kind {
  fileprivate var name: String {
    switch self {
    case .foreignWork: "GLib's sources"
    case .observer: "Observer"
    case .source: "Source"
    case .timer: "Timer"
    case .descriptor: "DescriptorSource"
    case .foreign: "GSource"
    case .perform: "perform"
    case .job: "Swift job"
    case .mainQueue: "main queue"
    }
  }
}
