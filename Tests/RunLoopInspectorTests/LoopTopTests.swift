import Foundation
import GLibRunLoop
import RunLoopInspector
import RunLoopInstruments
import Testing

/// One after the other: a process has one server in the place where LoopTop looks.
@Suite(.serialized) struct LoopTopTests {
  private let worker = LoopWorker()
  private let server: MetricsServer
  private let ticks: GRunLoop.Timer

  init() throws {
    // The server of the test before ends on a thread of its own.
    while try MetricsClient.processes().contains(Int(getpid())) { usleep(1000) }
    server = try MetricsServer(publishing: ["worker": worker.loop])
    ticks = GRunLoop.Timer(interval: .milliseconds(5), repeats: true, sendableHandler: { _ in usleep(100) })
    worker.loop.add(ticks, forMode: .default)
  }

  @Test("R9 LoopTop says as JSON what the loops of a process did in an interval")
  func json() throws {
    let result = try DemoProcess("LoopTop", ["--once", "--json", "--interval", "0.5", "\(getpid())"]).finish()
    worker.finish()
    #expect(result.exitCode == 0 && result.errors == "")
    let report = try JSONDecoder().decode(MetricsReport.self, from: Data(result.output.utf8))
    #expect(report.process == Int(getpid()) && report.loops.map(\.name) == ["worker"])
    let metrics = report.loops[0].metrics
    #expect(metrics.collectedNanoseconds >= 500_000_000)
    let timers = try #require(metrics.calls.first { $0.kind == "Timer" })
    #expect(timers.count >= 1 && timers.totalNanoseconds >= 100_000 * Int64(timers.count))
  }

  @Test("R9 LoopTop writes a page for people, lists who publishes, and says what is wrong")
  func plain() throws {
    let result = try DemoProcess("LoopTop", ["--once", "--interval", "0.1", "\(getpid())"]).finish()
    #expect(result.exitCode == 0)
    #expect(!result.output.contains("\u{1B}"), "a pipe is no terminal")
    for text in ["loop worker", "woken by", "timer", "call-backs took", "slowest"] {
      #expect(result.output.contains(text), "no \"\(text)\" in:\n\(result.output)")
    }
    let list = try DemoProcess("LoopTop", ["--list"]).finish()
    #expect(list.output.split(separator: "\n").contains { $0.hasPrefix("\(getpid())  ") })
    let nobody = try DemoProcess("LoopTop", ["--once", "1"]).finish()
    #expect(nobody.exitCode == 1 && nobody.errors.contains("no port of this user has the name"))
    let wrong = try DemoProcess("LoopTop", ["--interval", "0"]).finish()
    #expect(wrong.exitCode == 2)
    worker.finish()
  }

  @Test("R9 on a terminal LoopTop draws, obeys keys, and leaves the terminal as it was")
  func terminal() throws {
    let terminal = PseudoTerminal(rows: 30, columns: 100)
    let demo = try DemoProcess("LoopTop", ["--interval", "0.1", "\(getpid())"], on: terminal)
    demo.wait(for: "slowest")
    demo.wait(for: "█")
    demo.type(" ")
    demo.wait(for: "held")
    demo.forget()
    terminal.resize(rows: 20, columns: 60)
    demo.wait(for: String(repeating: "─", count: 60) + "\u{1B}")
    demo.type("q")
    demo.wait(for: "\u{1B}[?1049l\u{1B}[?25h")
    #expect(demo.finish().exitCode == 0)
    #expect(terminal.isEchoing)
    worker.finish()
  }
}
