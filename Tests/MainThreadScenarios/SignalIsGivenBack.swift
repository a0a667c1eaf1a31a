import CGLib
import GLibRunLoop
import Glibc

/// What the program itself does with a signal.
private enum Own: CaseIterable {
  case nothing, ignores, handles

  /// Does it, and returns how that looks.
  func set(_ signal: CInt) -> sigaction {
    var action = sigaction()
    switch self {
    case .nothing: action.__sigaction_handler.sa_handler = SIG_DFL
    case .ignores: action.__sigaction_handler.sa_handler = SIG_IGN
    case .handles: action.__sigaction_handler.sa_handler = { _ in calls += 1 }
    }
    sigaction(signal, &action, nil)
    return current(signal)
  }
}

// Changed in a signal handler, by signals that this thread sends to itself.
private nonisolated(unsafe) var calls = 0

private func current(_ signal: CInt) -> sigaction {
  var action = sigaction()
  sigaction(signal, nil, &action)
  return action
}

private func isSame(_ one: sigaction, _ other: sigaction) -> Bool {
  func number(_ action: sigaction) -> UInt {
    var action = action
    return withUnsafeBytes(of: &action.__sigaction_handler) { $0.load(as: UInt.self) }
  }
  return number(one) == number(other)
}

/// When the last source for a signal goes, the signal does what it did before.
@MainActor func signalIsGivenBack() {
  let signal = SIGUSR1
  let loop = GRunLoop.main
  func source(_ handler: @escaping (GRunLoop.SignalSource) -> Void = { _ in }) -> GRunLoop.SignalSource {
    GRunLoop.SignalSource(signal: signal, handler: handler)
  }
  for own in Own.allCases {
    let before = own.set(signal)

    let unused = source()
    expect(!isSame(current(signal), before), "\(own): a source takes the signal")
    unused.invalidate()
    expect(isSame(current(signal), before), "\(own): one that was in no loop gives it back")

    let first = source()
    let second = source()
    loop.add(first, forMode: .default)
    loop.add(second, forMode: .common)
    first.invalidate()
    expect(!isSame(current(signal), before), "\(own): another one still wants it")
    loop.remove(second, forMode: .common)
    expect(isSame(current(signal), before), "\(own): the last one left its mode")

    var wasOurs = false
    let drive = MainDrive()
    let inside = source { source in
      wasOurs = !isSame(current(signal), before)
      source.invalidate()
      drive.perform { drive.quit() }
    }
    loop.add(inside, forMode: .common)
    kill(getpid(), signal)
    drive.run()
    expect(wasOurs, "\(own): it was called")
    expect(isSame(current(signal), before), "\(own): invalidated in its own handler")

    do {
      let forgotten = source()
      _ = forgotten
    }
    expect(isSame(current(signal), before), "\(own): one that nobody holds any more")

    let worker = WorkerLoop()
    let elsewhere = GRunLoop.SignalSource(signal: signal, sendableHandler: { _ in })
    worker.loop.add(elsewhere, forMode: .default)
    elsewhere.invalidate()
    worker.settle()
    expect(isSame(current(signal), before), "\(own): invalidated from another thread")

    let untilTheEnd = GRunLoop.SignalSource(signal: signal, sendableHandler: { _ in })
    worker.loop.add(untilTheEnd, forMode: .default)
    worker.finish()
    expect(isSame(current(signal), before), "\(own): the loop has ended")

    // GLib's own source for it goes on, and ours gives back what GLib leaves.
    let ours = source()
    let glibs = g_unix_signal_source_new(signal)!
    ours.invalidate()
    expect(!isSame(current(signal), before), "\(own): GLib's own source wants it still")
    let again = source()
    g_source_unref(glibs)
    again.invalidate()
    expect(isSame(current(signal), before), "\(own): after GLib's own source")

    // What the program does meanwhile goes on.
    let replaced = source()
    let later = Own.handles.set(signal)
    replaced.invalidate()
    expect(isSame(current(signal), later), "\(own): a handler that came later stays")
  }
  calls = 0
  kill(getpid(), signal)
  expectEqual(calls, 1, "calls of the program's own handler")

  // Signals come as long as a source waits.
  var heard = 0
  let drive = MainDrive()
  let last = source { _ in
    heard += 1
    drive.quit()
  }
  loop.add(last, forMode: .common)
  for _ in 0..<3 {
    kill(getpid(), signal)
    drive.run()
  }
  expectEqual(heard, 3, "signals heard")
  expectEqual(calls, 1, "calls of the program's own handler, while a source waits")
}
