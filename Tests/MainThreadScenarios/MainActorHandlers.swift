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
    if Set(events).count == 6 { drive.quit() }
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

    loop.perform { @MainActor in self.note("perform") }
    loop.perform(after: .milliseconds(1)) { @MainActor in self.note("delayed") }
    drive.run()
    source.invalidate()
  }
}

@MainActor func mainActorHandlers() {
  let document = Document()
  document.open()
  expectEqual(Set(document.events), ["timer", "source", "observer", "descriptor", "perform", "delayed"], "came")
}
