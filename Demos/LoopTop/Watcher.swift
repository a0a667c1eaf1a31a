import DemoKit
import Foundation
import GLibRunLoop
import RunLoopInspector
import RunLoopPorts

/// Looks again and again at one process, and shows one of its loops.
@MainActor final class Watcher {
  private var options: Options
  private let terminal: Terminal?
  private let hasColours = isatty(STDOUT_FILENO) != 0 && getenv("NO_COLOR") == nil
  private var size = Terminal.size()
  private var client: MetricsClient?
  private var process = 0
  private var before: MetricsReport?
  private var report: MetricsReport?
  /// The number of the loop that is shown; nil for the first one.
  private var loopNumber: Int?
  private var history: [Double] = []
  private var isHeld = false
  private var remark = ""
  private var timer: GRunLoop.Timer?
  private var asker: GRunLoop.Timer?
  private var isAsking = false
  private var status: CInt = 0

  init(_ options: Options) {
    self.options = options
    let isPlain = options.isOnce || options.isList || isatty(STDOUT_FILENO) == 0
    terminal = isPlain ? nil : Terminal()
  }

  func run() -> CInt {
    do {
      if options.isList { return try list() }
      try connect(to: try target())
    } catch {
      return complain("\(error)", 1)
    }
    if let terminal { begin(terminal) } else { Task { await lookOnce() } }
    GRunLoop.main.run()
    if terminal != nil { write("\u{1B}[?1049l\u{1B}[?25h") }
    return remark.isEmpty ? status : complain(remark, status)
  }

  private func stop(_ status: CInt, _ remark: String = "") {
    (self.status, self.remark) = (status, remark)
    GRunLoop.main.stop()
  }

  // MARK: Whom

  private struct Nobody: Error, CustomStringConvertible { let description: String }

  private func list() throws -> CInt {
    let processes = try MetricsClient.processes()
    if options.isJSON {
      struct Entry: Encodable { let process: Int, program: String }
      let entries = processes.map { Entry(process: $0, program: Watcher.program(of: $0)) }
      print(String(decoding: try JSONEncoder().encode(entries), as: UTF8.self))
    } else {
      for process in processes { print("\(process)  \(Watcher.program(of: process))") }
    }
    return 0
  }

  /// A program's name, of which the kernel keeps fifteen bytes.
  private static func program(of process: Int) -> String {
    guard let name = FileManager.default.contents(atPath: "/proc/\(process)/comm") else { return "?" }
    return Text.printable(Array(name.dropLast()))
  }

  private func target() throws -> Int {
    let processes = try MetricsClient.processes()
    guard let target = options.target else {
      if let first = processes.first { return first }
      throw Nobody(description: "no process publishes what its loops do; one that holds a MetricsServer does")
    }
    if let process = Int(target) { return process }
    let wanted = Text.printable(Array(target.utf8.prefix(15)))
    let found = processes.filter { Watcher.program(of: $0) == wanted }
    if found.count > 1 {
      let numbers = found.map { "\($0)" }.joined(separator: ", ")
      throw Nobody(description: "\(found.count) programs \"\(wanted)\" publish: say which by its number, \(numbers)")
    }
    if let process = found.first { return process }
    throw Nobody(description: "no program \"\(target)\" publishes what its loops do; see --list")
  }

  private func connect(to process: Int) throws {
    client = try MetricsClient(process: process, on: .main)
    self.process = process
    (before, report, history, loopNumber) = (nil, nil, [], nil)
  }

  // MARK: Once

  private func lookOnce() async {
    do {
      // The first question has the loops begin to count.
      before = try await client?.report()
      keepAsking()
      try await GRunLoop.main.clock().sleep(for: options.interval)
      report = try await client?.report()
      if options.isJSON {
        print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
      } else if let report {
        for (index, loop) in report.loops.enumerated() {
          let text = page(report, loop, index, columns: 110).text
          print((index > 0 ? "\n" : "") + (hasColours ? text : Colour.without(text)))
        }
      }
      stop(0)
    } catch {
      stop(1, "\(error)")
    }
  }

  // MARK: On a terminal

  private func begin(_ terminal: Terminal) {
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      GRunLoop.main.add(
        GRunLoop.SignalSource(signal: signal) { @MainActor [unowned self] _ in stop(128 + signal) }, forMode: .common)
    }
    GRunLoop.main.add(
      GRunLoop.SignalSource(signal: SIGWINCH) { @MainActor [unowned self] _ in
        size = Terminal.size()
        paint()
      }, forMode: .common)
    GRunLoop.main.add(
      GRunLoop.DescriptorSource(fileDescriptor: terminal.descriptor, events: [.readable, .hungUp]) {
        @MainActor [unowned self] _, events in
        while let key = terminal.nextKey() { press(key) }
        if events.contains(.hungUp) { stop(128 + SIGHUP) }
      }, forMode: .common)
    setTimer()
    look()
  }

  private func setTimer() {
    timer?.invalidate()
    let timer = GRunLoop.Timer(interval: options.interval, repeats: true, tolerance: options.interval / 20) {
      @MainActor [unowned self] _ in look()
    }
    GRunLoop.main.add(timer, forMode: .common)
    self.timer = timer
    keepAsking()
  }

  /// The loops count until nobody has asked for ten seconds. Between two looks that are further apart, somebody asks.
  private func keepAsking() {
    asker?.invalidate()
    asker = nil
    if options.interval < Self.patience { return }
    let timer = GRunLoop.Timer(interval: Self.patience, repeats: true, tolerance: Self.patience / 5) {
      @MainActor [unowned self] _ in
      guard let client else { return }
      // What goes wrong is said when somebody looks.
      Task { _ = try? await client.report() }
    }
    GRunLoop.main.add(timer, forMode: .common)
    asker = timer
  }

  private static let patience = Duration.seconds(5)

  private func look() {
    guard !isHeld, !isAsking, let client else { return }
    isAsking = true
    Task {
      defer { isAsking = false }
      do {
        let new = try await client.report()
        // Another process was chosen meanwhile.
        guard client === self.client else { return }
        remark = ""
        (before, report) = (report, new)
        if let loop = shown, before != nil { history = (history + [change(of: loop).busyShare]).suffix(200) }
      } catch PortFailure.invalid {
        remark = "this process has gone"
      } catch {
        remark = "\(error)"
      }
      paint()
    }
  }

  private func press(_ key: UInt8) {
    switch key {
    case UInt8(ascii: "q"): stop(0)
    case UInt8(ascii: "\t"):
      if let report, !report.loops.isEmpty {
        loopNumber = report.loops[(shownIndex + 1) % report.loops.count].number
      }
      history = []
    case UInt8(ascii: " "): isHeld.toggle()
    case UInt8(ascii: "n"): nextProcess()
    case UInt8(ascii: "+"): setInterval(options.interval / 2)
    case UInt8(ascii: "-"): setInterval(options.interval * 2)
    default: return
    }
    paint()
  }

  private func setInterval(_ interval: Duration) {
    options.interval = min(max(interval, Options.intervals.lowerBound), Options.intervals.upperBound)
    setTimer()
  }

  private func nextProcess() {
    do {
      let processes = try MetricsClient.processes()
      guard let next = processes.first(where: { $0 > process }) ?? processes.first else { return }
      try connect(to: next)
      look()
    } catch {
      remark = "\(error)"
    }
  }

  // MARK: Painting

  private var shown: MetricsReport.Loop? {
    guard let report, !report.loops.isEmpty else { return nil }
    return report.loops[shownIndex]
  }

  /// The first, if the one that was shown has ended.
  private var shownIndex: Int { report?.loops.firstIndex { $0.number == loopNumber } ?? 0 }

  private func change(of loop: MetricsReport.Loop) -> Change {
    let old = before?.loops.first { $0.number == loop.number }
    return Change(from: old.flatMap { Change.isRestart($0, loop) ? nil : $0 }, to: loop)
  }

  private func page(_ report: MetricsReport, _ loop: MetricsReport.Loop, _ index: Int, columns: Int) -> Page {
    let count = report.loops.count
    let seconds = Double(options.interval.components.seconds) + Double(options.interval.components.attoseconds) / 1e18
    let often = seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : "\(Text.tenths(seconds)) s"
    let state = isHeld ? "held" : remark.isEmpty ? "every \(often)" : Text.printable(remark)
    return Page(
      report: report, loop: loop, change: change(of: loop), history: history,
      place: count > 1 ? "\(index + 1) of \(count)" : "", state: state, columns: columns)
  }

  private func paint() {
    guard let report, let loop = shown else {
      return write(
        "\u{1B}[H\u{1B}[J process \(process): \(remark.isEmpty ? "…" : Text.printable(remark))\r\n\r\n"
          + " q quit · n next process")
    }
    let page = page(report, loop, shownIndex, columns: size.columns)
    let keys = "tab next loop · n next process · space \(isHeld ? "go on" : "hold") · + - how often · q quit"
    let text = page.rows(size.rows, keys: keys).map { Colour.clipped($0, to: size.columns) + "\u{1B}[K" }.joined(
      separator: "\r\n")
    write("\u{1B}[H" + (hasColours ? text : Colour.without(text)) + "\u{1B}[J")
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress! + written, $0.count - written) }
      if count < 0, errno != EINTR { return }
      written += max(0, count)
    }
  }
}
