import GLibRunLoop
import Testing

@Suite struct EmptyModeTests {
  @Test("M5 a mode with observers alone does not run: finished, and no observer is called")
  func observersAlone() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let seen = Log(of: String.self)
      // Neither what is in other modes, nor what is in the common set, is in this one.
      loop.add(GRunLoop.Source { _ in }, forMode: "other")
      loop.add(GRunLoop.Timer(interval: .seconds(3600)) { _ in }, forMode: "other")
      loop.perform(inModes: ["other"]) { seen.append("perform") }
      for mode: GRunLoop.Mode in ["empty", .default, .common] {
        loop.add(GRunLoop.Observer(activities: .all) { _, _ in seen.append("\(mode)") }, forMode: mode)
      }
      for mode: GRunLoop.Mode in ["empty", .default, .modalPanel, "nobody named it before"] {
        #expect(loop.run(mode: mode, for: .seconds(3600)) == .finished)
        #expect(loop.run(mode: mode, for: .zero, returnAfterSourceHandled: true) == .finished)
        #expect(!loop.run(mode: mode, before: .distantFuture))
      }
      loop.run()
      loop.run(until: .distantFuture)
      #expect(seen.entries.isEmpty)
    }
  }

  @Test("M5 common items do not keep a private mode alive, but every mode of the set")
  func commonItems() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      loop.add(GRunLoop.Source { _ in }, forMode: .common)
      #expect(loop.run(mode: "private", for: .seconds(3600)) == .finished)
      for mode: GRunLoop.Mode in [.default, .modalPanel, .eventTracking] {
        #expect(loop.run(mode: mode, for: .zero) == .timedOut)
      }
      #expect(loop.run(mode: .connectionReply, for: .seconds(3600)) == .finished)
    }
  }

  enum Reason: CaseIterable {
    case source, timer, descriptor, perform, delayedPerform
  }

  @Test(
    "M5 one source, timer or queued perform is enough to run, and the observers are called", arguments: Reason.allCases)
  func oneIsEnough(_ reason: Reason) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let pipe = BytePipe()
      switch reason {
      case .source: loop.add(GRunLoop.Source { _ in }, forMode: "a")
      case .timer: loop.add(GRunLoop.Timer(interval: .seconds(3600)) { _ in }, forMode: "a")
      case .descriptor:
        let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in }
        loop.add(input, forMode: "a")
      case .perform: loop.perform(inModes: ["a"]) {}
      case .delayedPerform: loop.perform(inModes: ["a"], after: .seconds(3600)) {}
      }
      let seen = Log(of: GRunLoop.Activities.self)
      let observer = GRunLoop.Observer(activities: [.entry, .exit]) { _, activity in seen.append(activity) }
      loop.add(observer, forMode: "a")
      #expect(loop.run(mode: "a", for: .zero) == .timedOut)
      #expect(seen.entries == [.entry, .exit])
      // Only a queued perform is used up by that.
      #expect(loop.run(mode: "a", for: .zero) == (reason == .perform ? .finished : .timedOut))
      withExtendedLifetime(pipe) {}
    }
  }

  @Test("M5 a run ends when its mode becomes empty", arguments: [true, false])
  func becomesEmpty(invalidates: Bool) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let source = GRunLoop.Source(sendableHandler: { _ in })
      loop.add(source, forMode: "a")
      let asleep = Gate<Void>()
      let waits = GRunLoop.Observer(activities: .beforeWaiting) { _, _ in asleep.open() }
      loop.add(waits, forMode: "a")
      // From another thread, while it sleeps or is about to: the end of its last item wakes it.
      let other = TestThread {
        asleep.wait()
        if invalidates { source.invalidate() } else { loop.remove(source, forMode: "a") }
      }
      #expect(loop.run(mode: "a", for: .seconds(60)) == .finished)
      other.join()
      // Its last timer has fired.
      loop.add(GRunLoop.Timer(interval: .milliseconds(1)) { _ in }, forMode: "a")
      #expect(loop.run(mode: "a", for: .seconds(60)) == .finished)
    }
  }
}
