import CGLib
import GLibRunLoop

/// Takes the loop through the steps, one after the other.
///
/// A step is over when it has printed all its rows; then a timer begins the next one. Nothing depends on how long
/// something takes, so that every run of the program prints the same rows, whoever drives.
@MainActor final class Scenario {
  struct Step {
    let title: String
    let rows: Int
    let body: @MainActor (Scenario) -> Void
  }

  static let pause = Duration.milliseconds(20)
  nonisolated static let reply: GRunLoop.Mode = "reply"

  let loop = GRunLoop.main
  let worker = Worker()
  private let host: OpaquePointer?
  private var timeline: Timeline
  private var steps = Step.all[...]
  private var rowsLeft = 0

  init(isDrivenByGLib: Bool) {
    host = isDrivenByGLib ? g_main_loop_new(loop.context, 0) : nil
    timeline = Timeline(loop: loop)
    timeline.header(isDrivenByGLib ? "GLib: g_main_loop_run" : "Swift: GRunLoop.run")
  }

  func run() {
    prepareNextStep()
    if let host { g_main_loop_run(host) } else { loop.run() }
  }

  func log(_ kind: Kind, _ text: String) {
    timeline.row(kind, text)
    rowsLeft -= 1
    precondition(rowsLeft >= 0, "the step has more rows than it says")
    if rowsLeft == 0 { prepareNextStep() }
  }

  /// Something of the default mode, in a while.
  private func prepareNextStep() {
    guard let step = steps.popFirst() else { return quit() }
    let timer = GRunLoop.Timer(interval: Self.pause) { [unowned self] _ in
      rowsLeft = step.rows
      timeline.section(step.title)
      step.body(self)
    }
    loop.add(timer, forMode: .default)
  }

  private func quit() {
    if let host { g_main_loop_quit(host) } else { loop.stop() }
  }

  // MARK: Runs

  /// Tells of the runs that begin and end from now on, and keeps the depth.
  func observeRuns() {
    let observer = GRunLoop.Observer(activities: [.entry, .exit]) { [unowned self] _, activity in
      if activity == .entry {
        log(.run, "a run in \(loop.currentMode!) begins")
        timeline.depth += 1
      } else {
        timeline.depth -= 1
        log(.run, "the run in \(loop.currentMode!) ends")
      }
    }
    for mode in [.modalPanel, Self.reply] { loop.add(observer, forMode: mode) }
  }
}
