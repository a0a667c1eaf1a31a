import GLibRunLoop
import Glibc

/// What a program's main-actor class looks like: its handlers touch its state, and nothing is said about isolation.
@MainActor final class Document {
  private let drive = MainDrive()
  private(set) var events: [String] = []
  private var timer: GRunLoop.Timer?
  private let signs = Pipe()

  private func note(_ event: String) {
    MainActor.assertIsolated()
    expect(isFirstThread, "\(event) came on another thread")
    events.append(event)
    if Set(events).count == 8 { drive.quit() }
  }

  func open() {
    let loop = GRunLoop.main
    let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { timer in
      self.note("timer")
      self.timer = nil
      timer.invalidate()
    }
    self.timer = timer
    loop.add(timer, forMode: .common)

    let source = GRunLoop.Source { [weak self] _ in self?.note("source") }
    loop.add(source, forMode: .default)
    source.signal()

    let observer = GRunLoop.Observer(activities: .beforeTimers, repeats: false) { _, _ in self.note("observer") }
    loop.add(observer, forMode: .default)

    let input = GRunLoop.DescriptorSource(fileDescriptor: signs.readEnd, events: .readable) { input, _ in
      self.note("descriptor")
      input.invalidate()
    }
    loop.add(input, forMode: .default)
    signs.writeByte()

    let signal = GRunLoop.SignalSource(signal: SIGUSR1) { signal in
      self.note("signal")
      signal.invalidate()
    }
    loop.add(signal, forMode: .default)
    kill(getpid(), SIGUSR1)
    let child = GRunLoop.ChildSource(pid: startChild()) { _, status in self.note("child \(status)") }
    loop.add(child, forMode: .default)

    loop.perform { @MainActor in self.note("perform") }
    loop.perform(after: .milliseconds(1)) { @MainActor in self.note("delayed") }
    drive.run()
    source.invalidate()
  }

  private func startChild() -> pid_t {
    var pid = pid_t()
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(arguments[0]) }
    expectEqual(posix_spawn(&pid, "/bin/true", nil, nil, arguments, nil), 0, "posix_spawn")
    return pid
  }
}

@MainActor func mainActorHandlers() {
  let document = Document()
  document.open()
  let expected: Set = ["timer", "source", "observer", "descriptor", "signal", "child 0", "perform", "delayed"]
  expectEqual(Set(document.events), expected, "came")
}
