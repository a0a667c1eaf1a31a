import CGLib
import GLibRunLoop
import Glibc

extension Scenario.Step {
  @MainActor static let all = [
    Self(title: "1  Asleep until the second thread has something: the points of a pass", rows: 5) { $0.sleepOnce() },
    Self(title: "2  All ready at once: the order in a pass", rows: 7) { $0.makeAllReady() },
    Self(title: "3  The second thread: closures, and one that it waits for", rows: 6) { $0.hearFromThread() },
    Self(title: "4  A run in modalPanel: what is common goes on, what is default waits", rows: 9) { $0.runModal() },
    Self(title: "5  In it a run in a private mode: that hears its own items only", rows: 10) { $0.runPrivate() },
    Self(title: "6  A task of the main actor", rows: 3) { $0.startTask() },
  ]
}

extension Scenario {
  fileprivate func sleepOnce() {
    let observer = GRunLoop.Observer(activities: .all) { [unowned self] observer, activity in
      log(.observer, Self.name(of: activity))
      if activity == .beforeWaiting { wakeFromThread(observer) }
    }
    loop.add(observer, forMode: .default)
  }

  private func wakeFromThread(_ observer: GRunLoop.Observer) {
    worker.start { [self] in
      usleep(20_000)
      loop.perform { @MainActor [self] in
        observer.invalidate()
        log(.perform, "from the second thread, 20 ms later")
      }
    }
  }

  fileprivate func makeAllReady() {
    log(.note, "two closures, two sources, a timer and a pipe are made ready")
    for name in ["the first", "the second"] { loop.perform { @MainActor [self] in log(.perform, name) } }
    for order in [2, 1] {
      let source = GRunLoop.Source(order: order) { [unowned self] source in
        log(.source, "of order \(order)")
        source.invalidate()
      }
      loop.add(source, forMode: .default)
      source.signal()
    }
    loop.add(GRunLoop.Timer(fireDate: .now) { [unowned self] _ in log(.timer, "due at once") }, forMode: .default)
    addReadablePipe()
  }

  private func addReadablePipe() {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0, write(ends[1], "x", 1) == 1 else { fatalError("no pipe: \(errno)") }
    let source = GRunLoop.DescriptorSource(fileDescriptor: ends[0], events: .readable) { [unowned self] source, _ in
      log(.descriptor, "the pipe")
      source.invalidate()
      for end in ends { close(end) }
    }
    loop.add(source, forMode: .default)
  }

  fileprivate func hearFromThread() {
    worker.finish { [self] in
      for name in ["the first", "the second", "the third"] {
        loop.perform { @MainActor [self] in log(.perform, "\(name) from the thread") }
      }
      loop.perform(inModes: [.default]) { fatalError("it was cancelled") }.cancel()
    }
    log(.note, "the thread has queued three closures, and cancelled a fourth")
    worker.start { [self] in
      let answer = try? loop.performAndWait { @MainActor in
        self.log(.perform, "6 × 7, and the thread waits")
        return 6 * 7
      }
      loop.perform { @MainActor [self] in log(.perform, "the thread has got \(answer ?? 0)") }
    }
  }

  fileprivate func runModal() {
    observeRuns()
    let held = GRunLoop.Source { [unowned self] source in
      log(.source, "of the default mode, held until now")
      source.invalidate()
    }
    loop.add(held, forMode: .default)
    held.signal()
    log(.note, "a source of the default mode is signalled")
    addGLibTimeout()
    let result = loop.run(mode: .modalPanel, for: .seconds(60))
    log(.note, "it returned \(result)")
  }

  /// As any GLib code in the process would have one.
  private func addGLibTimeout() {
    let function: GSourceFunc = { scenario in
      let scenario = Unmanaged<Scenario>.fromOpaque(scenario!).takeUnretainedValue()
      MainActor.assumeIsolated {
        scenario.log(.gsource, "a time-out of GLib's, heard here, too")
        scenario.tickThrice()
      }
      return 0
    }
    g_timeout_add(5, function, Unmanaged.passUnretained(self).toOpaque())
  }

  private func tickThrice() {
    var ticks = 0
    let timer = GRunLoop.Timer(interval: .milliseconds(10), repeats: true) { [unowned self] timer in
      ticks += 1
      log(.timer, "of the common modes, tick \(ticks) of 3")
      guard ticks == 3 else { return }
      timer.invalidate()
      loop.stop()
    }
    loop.add(timer, forMode: .common)
  }

  fileprivate func runPrivate() {
    var heldBack = 3
    let heard = { @MainActor [self] (kind: Kind, text: String) in
      log(kind, text)
      heldBack -= 1
      if heldBack == 0 { loop.stop() }
    }
    loop.perform { @MainActor [self] in
      loop.perform { @MainActor in heard(.perform, "the closure") }
      Task { @MainActor in heard(.actor, "the task") }
      loop.add(GRunLoop.Timer(fireDate: .now) { _ in heard(.timer, "the timer") }, forMode: .common)
      log(.note, "a closure, a task and a timer of the common modes are ready")
      runForReply()
    }
    loop.run(mode: .modalPanel, for: .seconds(60))
  }

  private func runForReply() {
    let answer = GRunLoop.Source { [unowned self] source in
      log(.source, "the reply from the second thread, 20 ms later")
      source.invalidate()
    }
    loop.add(answer, forMode: Self.reply)
    worker.start {
      usleep(20_000)
      answer.signal()
    }
    let wasHandled = loop.run(mode: Self.reply, before: .now + .seconds(60))
    log(.note, wasHandled ? "it returned, having heard what it waits for" : "it had nothing to wait for")
  }

  fileprivate func startTask() {
    Task {
      log(.actor, "begins")
      try? await loop.clock().sleep(for: .milliseconds(10))
      log(.actor, "goes on after a sleep of 10 ms")
      let answer = await Task.detached { 6 * 7 }.value
      log(.actor, "has \(answer) from a task on another thread")
    }
  }

  private static func name(of activity: GRunLoop.Activities) -> String {
    switch activity {
    case .beforeTimers: "before timers"
    case .beforeSources: "before sources"
    case .beforeWaiting: "before waiting"
    case .afterWaiting: "after waiting"
    case .entry: "entry"
    default: "exit"
    }
  }
}
