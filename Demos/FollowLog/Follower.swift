import CGLib
import DemoKit
import GLibRunLoop
import Glibc

/// The program: inputs, keys, signals and the status, all of them items of the main loop.
@MainActor final class Follower {
  /// While it pauses, the loop runs in this mode, where only keys, signals and the status are heard. What the inputs
  /// have to say waits in the kernel, and comes when the run ends.
  private static let paused: GRunLoop.Mode = "paused"

  private let loop = GRunLoop.main
  private let host: OpaquePointer?
  private let options: Options
  private let labels: Labels
  private let output: any Output
  private let screen: Screen?
  private let terminal: Terminal?
  private var rates = Rates()

  private var watcher: Watcher!
  private var files: [FollowedFile] = []
  private var streams: [FollowedStream] = []
  private var openStreams = 0
  /// Files that have more than was read in one piece. Reading goes on in the next pass, so that keys are heard.
  private var unfinished: [FollowedFile] = []
  private var more: GRunLoop.Source!
  private var lineEnds: GRunLoop.Timer?
  private var looks: GRunLoop.Timer?

  private var isPaused = false
  private var exitStatus: CInt?

  init(_ options: Options) {
    var options = options
    if options.paths.isEmpty { options.paths = [Options.standardInput] }
    self.options = options
    host = options.isDrivenByGLib ? g_main_loop_new(loop.context, 0) : nil
    labels = Labels(options.paths.map { $0 == Options.standardInput ? "stdin" : $0.text })
    let isTerminal = isatty(STDOUT_FILENO) != 0
    screen = isTerminal ? Screen(labels: labels, highlighter: Highlighter(word: options.word)) : nil
    terminal = isTerminal ? Terminal() : nil
    output = screen ?? PlainOutput(labels: labels)
  }

  /// Follows until it is told to quit, or nothing is left. Returns the exit status.
  func run() -> CInt {
    addSignals()
    addKeys()
    addDisplay()
    addInputs()
    showStatus()
    while exitStatus == nil { drive() }
    for file in files { file.end() }
    for stream in streams { stream.end() }
    output.flush()
    screen?.end()
    return exitStatus ?? 0
  }

  private func drive() {
    if let host { g_main_loop_run(host) } else { loop.run() }
  }

  private func quit(_ status: CInt) {
    exitStatus = exitStatus ?? status
    // While it pauses, the nested run ends first; see there.
    if !isPaused { endRun() }
  }

  private func endRun() {
    if let host { g_main_loop_quit(host) } else { loop.stop() }
  }

  // MARK: Inputs

  private func addInputs() {
    more = GRunLoop.Source { [unowned self] _ in
      let files = unfinished
      unfinished = []
      for file in files { advance(file) }
    }
    loop.add(more, forMode: .common)
    watcher = Watcher(loop: loop) { [unowned self] events in
      for file in files where file.isConcerned(by: events) { advance(file) }
    }
    for (index, path) in options.paths.enumerated() { addInput(path, index) }
    rates.beginMeasuring()
    endIfNothingIsLeft()
  }

  private func addInput(_ path: FileName, _ index: Int) {
    let emit: @MainActor (LineSplitter.Piece) -> Void = { [unowned self] piece in
      rates.count(lines: piece.ends ? 1 : 0, bytes: piece.bytes.count + (piece.ends ? 1 : 0))
      output.show(Line(input: index, piece: piece))
    }
    if path == Options.standardInput { return addStream(STDIN_FILENO, "standard input", emit) }
    var status = stat()
    if path.withCString({ stat($0, &status) }) == 0, [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT) {
      let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
      if descriptor < 0 { return output.remark("\(path.text) cannot be read: \(Text.reason(errno))") }
      return addStream(descriptor, path.text, emit)
    }
    let file = FollowedFile(path, watcher: watcher, emit: emit) { [unowned self] in output.remark($0) }
    files.append(file)
    file.begin(lines: options.lines)
    advance(file)
  }

  private func advance(_ file: FollowedFile) {
    if file.advance() {
      unfinished.append(file)
      more.signal()
    } else if file.hasUnfinishedLine {
      waitForLineEnds()
    }
    if file.isBlind { lookEverySecond() }
  }

  /// A line whose end is long in coming is shown without it.
  private func waitForLineEnds() {
    if lineEnds?.isValid ?? false { return }
    let timer = GRunLoop.Timer(interval: .milliseconds(300)) { [unowned self] _ in
      for file in files { file.giveUnfinishedLine() }
      for stream in streams { stream.giveUnfinishedLine() }
    }
    loop.add(timer, forMode: .common)
    lineEnds = timer
  }

  /// For files of which the kernel does not tell everything.
  private func lookEverySecond() {
    if looks != nil { return }
    let timer = GRunLoop.Timer(interval: .seconds(1), repeats: true, tolerance: .milliseconds(200)) {
      [unowned self] _ in
      for file in files where file.isBlind {
        file.lookAgain()
        advance(file)
      }
      if files.contains(where: \.isBlind) { return }
      looks?.invalidate()
      looks = nil
    }
    loop.add(timer, forMode: .common)
    looks = timer
  }

  private func addStream(
    _ descriptor: CInt, _ name: String, _ emit: @escaping @MainActor (LineSplitter.Piece) -> Void
  ) {
    let read: @MainActor () -> Void = { [unowned self] in
      if streams.contains(where: \.hasUnfinishedLine) { waitForLineEnds() }
    }
    let stream = FollowedStream(descriptor, loop: loop, emit: emit, read: read) { [unowned self] reason in
      if let reason {
        output.remark("\(name) cannot be read: \(reason)")
      } else if !files.isEmpty || openStreams > 1 {
        output.remark("\(name) has ended")
      }
      openStreams -= 1
      endIfNothingIsLeft()
    }
    guard let stream else { return output.remark("\(name) cannot be read: \(Text.reason(EBADF))") }
    streams.append(stream)
    openStreams += 1
  }

  private func endIfNothingIsLeft() {
    if files.isEmpty && openStreams == 0 { quit(streams.isEmpty ? 1 : 0) }
  }

  // MARK: Signals and keys

  private func addSignals() {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      addInAllModes(GRunLoop.SignalSource(signal: signal) { [unowned self] _ in quit(128 + signal) })
    }
    guard let screen else { return }
    addInAllModes(
      GRunLoop.SignalSource(signal: SIGWINCH) { [unowned self] _ in
        screen.resized()
        showStatus()
      })
  }

  private func addInAllModes(_ item: GRunLoop.Item) {
    loop.add(item, forModes: [.common, Self.paused])
  }

  private func addKeys() {
    guard let terminal else { return }
    addInAllModes(
      GRunLoop.DescriptorSource(fileDescriptor: terminal.descriptor, events: .readable) {
        [unowned self] source, events in
        if events.contains(.hungUp) { return quit(128 + SIGHUP) }
        // One at a time: a key may run the loop, which then reads the next one.
        if let key = terminal.nextKey() { press(key) }
      })
  }

  private func press(_ key: UInt8) {
    switch key {
    case UInt8(ascii: " "), UInt8(ascii: "p"): if isPaused { isPaused = false } else { pause() }
    case UInt8(ascii: "h"): screen?.toggleHighlighting()
    case UInt8(ascii: "q"), 4, 28: quit(0)
    case 12: screen?.repaint()
    case 26:
      screen?.end()
      terminal?.suspend()
      screen?.resized()
    default: break
    }
    showStatus()
  }

  private func pause() {
    isPaused = true
    showStatus()
    // Each run ends after one key or signal.
    while isPaused && exitStatus == nil { loop.run(mode: Self.paused, before: .distantFuture) }
    isPaused = false
    if exitStatus != nil { endRun() }
  }

  // MARK: The display

  private func addDisplay() {
    addInAllModes(GRunLoop.Observer(activities: .beforeWaiting) { [unowned self] _, _ in output.flush() })
    guard screen != nil else { return }
    addInAllModes(
      GRunLoop.Timer(interval: .milliseconds(500), repeats: true, tolerance: .milliseconds(100)) { [unowned self] _ in
        showStatus()
      })
  }

  private func showStatus() {
    guard let screen else { return }
    var status = StatusLine()
    status.isPaused = isPaused
    status.isHighlighting = screen.isHighlighting
    status.inputs = options.paths.count
    status.openInputs = files.count(where: \.isOpen) + openStreams
    status.held = files.reduce(0) { $0 + $1.held } + streams.reduce(0) { $0 + $1.held }
    status.mode = "\(loop.currentMode ?? .default)"
    screen.setStatus(status.styled(&rates, columns: screen.columns))
  }
}
