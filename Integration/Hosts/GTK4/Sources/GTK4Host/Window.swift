import CGtk
import GLibRunLoop

/// A window that lives on while work is done in the background, and while Swift runs the loop in other modes.
@MainActor final class Window {
  private let loop = GRunLoop.main
  private let view: View
  private let record: Record

  init(_ application: UnsafeMutablePointer<GtkApplication>) {
    view = View(application)
    record = Record(places: { [view] in view.places })
  }

  /// The handlers hold the window for as long as GTK holds its widgets.
  func show() {
    connect(view.dialogButton, "clicked") { self.showDialog() }
    connect(view.privateButton, "clicked") { self.run("private", for: .milliseconds(300)) }
    connect(view.drag, "drag-begin") { self.beginDrag() }
    connect(view.drag, "drag-update") { self.view.moveTile() }
    connect(view.drag, "drag-end") { self.endDrag() }
    view.present(onFrame: {
      self.record.count(.frame)
      self.view.setStatus(self.record.status)
    })
    countPrimes()
  }

  // MARK: Work in the background

  /// The list is filled as results come; the spinner turns and the bar grows meanwhile.
  private func countPrimes() {
    let work = GRunLoop.BackgroundTask(
      pre: { self.view.setBusy(true) },
      background: { report in
        var total = 0
        for (index, range) in Primes.ranges.enumerated() {
          let count = try await Primes.count(in: range)
          await self.append(range, count)
          report(index + 1)
          total += count
        }
        return total
      },
      progress: { (done: Int) in self.view.setProgress(Double(done) / Double(Primes.ranges.count)) },
      post: { (result: Result<Int, any Error>) in self.finish(result) })
    work.start()
  }

  /// The background step awaits this: the main actor is the window's thread.
  private func append(_ range: Range<Int>, _ count: Int) {
    view.addRow("\(range.lowerBound) – \(range.upperBound - 1)", "\(count)")
    record.count(.row)
  }

  private func finish(_ result: Result<Int, any Error>) {
    view.setBusy(false)
    let text =
      switch result {
      case .success(let total): "\(total) primes"
      case .failure(let error): "\(error)"
      }
    view.setTitle(text)
    record.say("done: \(text)")
  }

  // MARK: Runs in other modes

  /// Returns when the dialog was closed. Meanwhile the window draws, the list is filled, the main actor lives.
  private func showDialog() {
    view.openDialog(onClose: { self.loop.stop() })
    run(.modalPanel)
    view.closeDialog()
  }

  /// Returns when the button was let go. What belongs to the default mode alone does not come in between.
  private func beginDrag() {
    if view.grabTile() { run(.eventTracking) }
  }

  private func endDrag() {
    if loop.currentMode == .eventTracking { loop.stop() }
  }

  private func run(_ mode: GRunLoop.Mode, for duration: Duration = .seconds(Int64.max)) {
    record.begin(mode)
    let result = loop.run(mode: mode, for: duration)
    record.end(mode, result)
  }
}
