import CGLib
import GLibRunLoop
import Glibc

/// The program: draws pictures, then shrinks them, both in the background. All its state is the main actor's.
@MainActor final class Gallery {
  private let loop = GRunLoop.main
  private let host: OpaquePointer?
  private let options: Options
  private let screen = Screen()
  private let stalls = StallMeter()
  private let begin = GRunLoop.Instant.now

  private var folder: Folder?
  private var step: GRunLoop.BackgroundTask?
  private var title = ""
  /// How far each picture of the step is, from 0 to 1.
  private var fractions: [Double] = []
  private var done = 0
  private var made = 0
  private var wanted = 0
  private var problems = 0
  private var spin = 0
  private var signal: CInt?

  nonisolated private static let thumbnailWidth = 96

  init(_ options: Options) {
    self.options = options
    host = options.isDrivenByGLib ? g_main_loop_new(loop.context, 0) : nil
  }

  /// Returns the exit status.
  func run() -> CInt {
    addSignals()
    addDisplay()
    stalls.start(on: loop)
    loop.perform { @MainActor [self] in beginWork() }
    if let host { g_main_loop_run(host) } else { loop.run() }
    stalls.stop()
    report()
    return signal.map { 128 + $0 } ?? (problems > 0 ? 1 : 0)
  }

  private func end() {
    screen.clear()
    if let host { g_main_loop_quit(host) } else { loop.stop() }
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      complainAbout(error)
      end()
    }
  }

  // MARK: The two steps

  private func beginWork() {
    attempt {
      let folder = try options.folder.map { Folder(path: $0, isTemporary: false) } ?? Folder.temporary()
      self.folder = folder
      if folder.isTemporary { draw(in: folder) } else { try shrink(in: folder) }
    }
  }

  private func draw(in folder: Folder) {
    let (width, height) = (options.width, options.height)
    let digits = "\(options.count)".count
    let paths = (1...max(1, options.count)).prefix(options.count).map { number in
      let text = String(repeating: "0", count: digits - "\(number)".count) + "\(number)"
      return "\(folder.path)/picture-\(text).ppm"
    }
    perform("Drawing", paths) { index, path, report in
      try Picture.landscape(index, width: width, height: height, report).write(to: path)
    } each: { _ in
    } then: { [unowned self] in
      attempt { try shrink(in: folder) }
    }
  }

  private func shrink(in folder: Folder) throws {
    let names = try folder.pictures()
    try folder.makeThumbnailFolder()
    wanted = names.count
    let (source, target) = (folder.path, folder.thumbnails)
    perform("Shrinking", names) { _, name, report in
      let picture = try Picture(contentsOf: "\(source)/\(name)")
      try picture.shrunk(toWidth: Self.thumbnailWidth, report).write(to: "\(target)/\(name)")
    } each: { [unowned self] name in
      made += 1
      if !screen.isTerminal { screen.say("\(name) is done, \(made) of \(wanted)") }
    } then: { [unowned self] in
      end()
    }
  }

  /// Does something with each of these in the background, some at a time; then goes on, unless it was cancelled.
  private func perform(
    _ title: String, _ names: [String],
    _ work: @escaping @Sendable (Int, String, (Double) -> Void) throws -> Void,
    each: @escaping @MainActor (String) -> Void, then: @escaping @MainActor () -> Void
  ) {
    self.title = title
    fractions = Array(repeating: 0, count: names.count)
    done = 0
    let tasks = names.enumerated().map { index, name in
      GRunLoop.BackgroundTask(
        background: { report in try work(index, name) { report($0) } },
        progress: { (fraction: Double) in
          self.fractions[index] = fraction
          self.show()
        },
        post: { (result: Result<Void, any Error>) in
          switch result {
          case .success:
            self.fractions[index] = 1
            self.done += 1
            each(name)
          case .failure(let error): if !(error is CancellationError) { self.complainAbout(error) }
          }
          self.show()
        })
    }
    let step = GRunLoop.BackgroundTask(
      group: tasks, atOnce: options.atOnce,
      post: { (result: Result<Void, any Error>) in
        if case .success = result { then() } else { self.end() }
      })
    self.step = step
    step.start()
    if signal != nil { step.cancel() }
  }

  private func complainAbout(_ error: any Error) {
    problems += 1
    screen.clear()
    complain("\(error)")
  }

  // MARK: Signals and the display

  private func addSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      loop.add(
        GRunLoop.SignalSource(signal: number) { [unowned self] _ in
          if signal != nil {
            screen.clear()
            if let folder, folder.isTemporary { folder.remove() }
            exit(128 + number)
          }
          signal = number
          step?.cancel()
        }, forMode: .common)
    }
    guard screen.isTerminal else { return }
    loop.add(
      GRunLoop.SignalSource(signal: SIGWINCH) { [unowned self] _ in
        screen.resized()
        show()
      }, forMode: .common)
  }

  private func addDisplay() {
    guard screen.isTerminal else { return }
    loop.add(GRunLoop.Observer(activities: .beforeWaiting) { [unowned self] _, _ in screen.paint() }, forMode: .common)
    let turns = GRunLoop.Timer(interval: .milliseconds(80), repeats: true, tolerance: .milliseconds(20)) {
      [unowned self] _ in
      spin += 1
      show()
    }
    loop.add(turns, forMode: .common)
  }

  private func show() {
    guard !fractions.isEmpty else { return }
    let fraction = min(1, fractions.reduce(0, +) / Double(fractions.count))
    screen.show(
      ProgressRow(
        title: signal == nil ? title : "Stopping", done: done, count: fractions.count, fraction: fraction, spin: spin,
        stall: stalls.longest))
  }

  // MARK: What was done

  private func report() {
    screen.clear()
    let time = milliseconds(begin.duration(to: .now))
    if let signal {
      let name = [SIGINT: "Ctrl-C", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][signal]!
      let what = title == "Shrinking" ? "\(made) of \(wanted) thumbnails were made" : "no thumbnail was made"
      screen.say("Stopped by \(name) after \(time): \(what).")
    } else {
      screen.say("\(made) thumbnail\(made == 1 ? "" : "s") in \(time), \(options.atOnce) at a time.")
    }
    screen.say("The loop's longest stall was \(milliseconds(stalls.longest)), in \(stalls.calls) looks.")
    guard let folder else { return }
    if folder.isTemporary && !options.keepsFolder {
      folder.remove()
    } else if made > 0 || folder.isTemporary {
      screen.say("They are in \(folder.thumbnails)")
    }
  }
}
