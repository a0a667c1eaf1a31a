import DemoKit
import GLibRunLoop
import Glibc
import RunLoopInspector
import RunLoopInstruments
import RunLoopNotifications

/// An operator's time on duty: its display, what is typed, and the end.
@MainActor final class Shift {
  private let name: String
  private let exchange: String
  private let terminal: Terminal?
  private let display: any Display
  private var desk: Operator!
  private var chatter: GRunLoop.Timer?
  private var typed: [UInt8] = []
  private var status: CInt = 0

  init(name: String, exchange: String, isHeadless: Bool) {
    self.name = name
    self.exchange = exchange
    terminal = isHeadless || isatty(STDOUT_FILENO) == 0 ? nil : Terminal()
    display = terminal == nil ? Transcript() : Board(name: name, exchange: exchange)
  }

  func run() -> CInt {
    let desk = Operator(name: name, exchange: exchange, display: display)
    self.desk = desk
    do { try desk.begin() } catch {
      display.end()
      complain("Switchboard: \(error)")
      return 1
    }
    // For LoopTop, should anybody care to look.
    let metrics = try? MetricsServer(publishing: ["main": .main])
    defer { withExtendedLifetime(metrics) {} }
    watchSignals()
    if let terminal { watchKeys(terminal) } else { watchOrders() }
    GRunLoop.main.run()
    desk.end()
    display.end()
    return status
  }

  private func stop(_ status: CInt) {
    self.status = status
    GRunLoop.main.stop()
  }

  private func watchSignals() {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      add(GRunLoop.SignalSource(signal: signal) { @MainActor [unowned self] _ in stop(128 + signal) })
    }
    guard let board = display as? Board else { return }
    add(GRunLoop.SignalSource(signal: SIGWINCH) { @MainActor _ in board.resized() })
  }

  private func add(_ item: GRunLoop.Item) { GRunLoop.main.add(item, forMode: .common) }

  // MARK: Keys

  private func watchKeys(_ terminal: Terminal) {
    add(
      GRunLoop.DescriptorSource(fileDescriptor: terminal.descriptor, events: [.readable, .hungUp]) {
        @MainActor [unowned self] _, events in
        while let key = terminal.nextKey() { press(key) }
        if events.contains(.hungUp) { stop(128 + SIGHUP) }
      })
  }

  private func press(_ key: UInt8) {
    switch key {
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      let index = Int(key - UInt8(ascii: "1"))
      if index < desk.lines.count { desk.call(desk.lines[index].name, Phrases.question()) }
    case UInt8(ascii: "a"): desk.callAll(Phrases.question())
    case UInt8(ascii: " "): toggleChatter()
    case UInt8(ascii: "q"): stop(0)
    default: break
    }
  }

  private func toggleChatter() {
    if let chatter {
      chatter.invalidate()
      self.chatter = nil
    } else {
      let timer = GRunLoop.Timer(interval: .milliseconds(1500), repeats: true, tolerance: .milliseconds(100)) {
        @MainActor [unowned self] _ in
        let open = desk.lines.filter { $0.state == .open }
        if let line = open.randomElement() { desk.call(line.name, Phrases.question()) }
      }
      add(timer)
      chatter = timer
    }
    (display as? Board)?.isChattering = chatter != nil
  }

  // MARK: Orders

  private func watchOrders() {
    add(
      GRunLoop.DescriptorSource(fileDescriptor: STDIN_FILENO, events: [.readable, .hungUp]) {
        @MainActor [unowned self] source, _ in
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        if count > 0 { typed += bytes[..<count] }
        while let end = typed.firstIndex(of: 10) {
          obey(String(decoding: typed[..<end], as: UTF8.self))
          typed.removeFirst(end + 1)
        }
        if count <= 0 {
          source.invalidate()
          stop(0)
        }
      })
  }

  private func obey(_ order: String) {
    let words = order.split(separator: " ", maxSplits: 2).map(String.init)
    switch words.first {
    case "call" where words.count == 3: desk.call(words[1], words[2])
    case "all" where words.count > 1: desk.callAll(words.dropFirst().joined(separator: " "))
    case "who":
      let open = desk.lines.filter { $0.state == .open }.map(\.name).sorted()
      display.show(.note(open.isEmpty ? "nobody is here" : "here: " + open.joined(separator: ", ")))
    case "quit": stop(0)
    case nil: break
    default: display.show(.note("orders are: call NAME TEXT, all TEXT, who, quit"))
    }
  }
}
