import DemoKit
import Foundation
import GLibRunLoop
import RunLoopNotifications
import RunLoopPorts

/// One operator: says that it is on duty, learns who else is, answers calls and makes them.
@MainActor final class Operator {
  private static let notice = Notification.Name("org.glibrunloop.Switchboard")
  private static let patience = Duration.seconds(5)
  /// What a message on a line is, by its id.
  private enum Kind { static let call: UInt32 = 1, answer: UInt32 = 2, goodbye: UInt32 = 3 }

  let name: String
  private let exchange: String
  private let display: any Display
  private let center = GRunLoop.DistributedNotificationCenter.default
  private var port: MessagePort?
  /// By name, in the order in which they were first heard of.
  private(set) var lines: [Line] = []

  init(name: String, exchange: String, display: any Display) {
    self.name = name
    self.exchange = exchange
    self.display = display
  }

  /// Takes the name, listens, and says so to all.
  func begin() throws {
    let port = try MessagePort(name: Self.portName(of: name, at: exchange)) { @MainActor [weak self] request in
      self?.answer(request)
    }
    GRunLoop.main.add(port, forMode: .common)
    self.port = port
    try center.addObserver(forName: Self.notice, object: exchange) { @MainActor [weak self] notification in
      self?.hear(notification.userInfo ?? [:])
    }
    display.show(.onDuty(exchange: exchange, process: Int(getpid())))
    try say("on duty")
  }

  func end() {
    let open = lines.compactMap(\.port)
    // On each line, and waiting for the answer: a notification could come after the end of the line, which would then
    // seem to have died. In a common mode, so that one who goes at the same moment is heard.
    let goodbye = PortMessage(id: Kind.goodbye, components: [Array(name.utf8), Array("\(getpid())".utf8)])
    for port in open {
      _ = try? port.request(goodbye, sendTimeout: .seconds(1), receiveTimeout: .seconds(1), replyMode: .default)
    }
    port?.invalidate()
    // What ends here by itself is not told of.
    lines = []
    for port in open { port.invalidate() }
  }

  private static func portName(of name: String, at exchange: String) -> PortName {
    PortName("switchboard.\(exchange).\(name)")
  }

  // MARK: Who is there

  private func say(_ what: String) throws {
    try center.post(
      name: Self.notice, object: exchange, userInfo: ["what": what, "name": name, "process": Int(getpid())])
  }

  private func hear(_ notice: [AnyHashable: Any]) {
    guard let what = notice["what"] as? String, let other = notice["name"] as? String,
      let process = notice["process"] as? Int, other != name
    else { return }
    connect(to: other, process)
    // Whoever has just come knows nobody yet.
    if what == "on duty" { try? say("here") }
  }

  private func connect(to other: String, _ process: Int) {
    let known = lines.firstIndex { $0.name == other }
    if let known, lines[known].process == process, lines[known].state == .open { return }
    let dead: @Sendable () -> Void = { [weak self] in
      MainActor.assumeIsolated { self?.lose(other, process, .dead) }
    }
    do {
      let port = try RemotePort(
        Self.portName(of: other, at: exchange), on: .main, invalidationHandler: dead)
      var line = known.map { lines[$0] } ?? Line(name: other, process: process)
      (line.process, line.port, line.state) = (process, port, .open)
      if let known { lines[known] = line } else { lines.append(line) }
      display.show(.arrived(other))
      display.linesChanged(lines)
    } catch {
      display.show(.failed(other, "\(error)"))
    }
  }

  private func lose(_ other: String, _ process: Int, _ state: Line.State) {
    guard let index = lines.firstIndex(where: { $0.name == other && $0.process == process && $0.state == .open })
    else { return }
    lines[index].state = state
    lines[index].port = nil
    display.show(state == .dead ? .died(other) : .left(other))
    display.linesChanged(lines)
  }

  // MARK: Calls

  private func answer(_ request: PortRequest) {
    let parts = request.message.components.map { Text.printable($0) }
    guard parts.count == 2 else { return }
    if request.message.id == Kind.goodbye {
      lose(parts[0], Int(parts[1]) ?? 0, .closed)
      try? request.reply(PortMessage(id: Kind.goodbye))
      return
    }
    display.show(.asked(parts[0], parts[1]))
    if let index = lines.firstIndex(where: { $0.name == parts[0] }) {
      lines[index].in += 1
      lines[index].lastHeard = parts[1]
      display.linesChanged(lines)
    }
    try? request.reply(PortMessage(id: Kind.answer, components: [Array(Phrases.answer(to: parts[1]).utf8)]))
  }

  /// Calls one operator; the answer is shown when it comes.
  func call(_ other: String, _ text: String) {
    guard let line = lines.first(where: { $0.name == other }), let port = line.port else {
      return display.show(.note("there is no line to \(other)"))
    }
    display.show(.calls(other, text))
    let message = PortMessage(id: Kind.call, components: [Array(name.utf8), Array(text.utf8)])
    Task {
      let began = GRunLoop.Instant.now
      do {
        let answer = try await port.request(message, receiveTimeout: Self.patience)
        let words = answer.components.first.map { Text.printable($0) } ?? ""
        answered(other, words, began.duration(to: .now))
      } catch {
        display.show(.failed(other, "\(error)"))
      }
    }
  }

  private func answered(_ other: String, _ words: String, _ time: Duration) {
    display.show(.answered(other, words, time))
    guard let index = lines.firstIndex(where: { $0.name == other }) else { return }
    lines[index].out += 1
    lines[index].roundTrip = time
    lines[index].lastHeard = words
    display.linesChanged(lines)
  }

  func callAll(_ text: String) {
    for line in lines where line.state == .open { call(line.name, text) }
  }
}
