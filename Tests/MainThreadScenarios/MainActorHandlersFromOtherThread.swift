import GLibRunLoop

@MainActor private var events: [String] = []

@MainActor private func note(_ event: String, _ drive: MainDrive) {
  expect(isFirstThread, "\(event) came on another thread")
  events.append(event)
  if Set(events).count == 5 { drive.quit() }
}

/// Handlers of the main actor can be made and added on any thread, and only to the main loop.
@MainActor func mainActorHandlersFromOtherThread() {
  let drive = MainDrive()
  let signs = Pipe()
  signs.writeByte()
  Warnings.capture()
  _ = GRunLoop.main
  let worker = OtherThread {
    let timer = GRunLoop.Timer(interval: .milliseconds(1)) { @MainActor _ in note("timer", drive) }
    let source = GRunLoop.Source { @MainActor _ in note("source", drive) }
    let observer = GRunLoop.Observer(activities: .beforeTimers, repeats: false) { @MainActor _, _ in
      note("observer", drive)
    }
    let input = GRunLoop.DescriptorSource(fileDescriptor: signs.readEnd, events: .readable) { @MainActor input, _ in
      note("descriptor", drive)
      input.invalidate()
    }
    source.signal()
    for item in [timer, source, observer, input] as [GRunLoop.Item] {
      let count = Warnings.log.count
      expect(!GRunLoop.current.add(item, forMode: .default), "a worker's loop took a handler of the main actor's")
      expect(
        Warnings.log.entries.dropFirst(count).contains { $0.contains("add it to GRunLoop.main") },
        "the refusal did not say what to do")
      expect(GRunLoop.main.add(item, forMode: .common), "the main loop refused a handler of the main actor's")
    }
    GRunLoop.main.perform { @MainActor in note("perform", drive) }
  }
  drive.run()
  worker.join()
  expectEqual(Set(events), ["timer", "source", "observer", "descriptor", "perform"], "came")
}
