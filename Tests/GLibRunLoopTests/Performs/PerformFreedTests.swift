import GLibRunLoop
import Glibc
import Synchronization
import Testing

@Suite struct PerformFreedTests {
  /// Notes on which thread it was freed.
  private final class Held: Sendable {
    let freedOn: Log<pthread_t>
    init(_ freedOn: Log<pthread_t>) { self.freedOn = freedOn }
    deinit { freedOn.append(pthread_self()) }
  }

  enum Form: CaseIterable, Sendable {
    case plain, ordered, idle, otherMode, delayed, targeted, delayedTarget

    fileprivate func queue(on loop: GRunLoop, _ freedOn: Log<pthread_t>) -> GRunLoop.Perform {
      let held = Held(freedOn)
      switch self {
      case .plain: return loop.perform(inModes: [.common]) { _ = held }
      case .ordered: return loop.perform(order: 1) { _ = held }
      case .idle: return loop.perform(priority: .idle) { _ = held }
      case .otherMode: return loop.perform(inModes: ["other", "another"]) { _ = held }
      case .delayed: return loop.perform(after: .zero) { _ = held }
      case .targeted: return loop.perform(target: held, name: "n") {}
      case .delayedTarget: return loop.perform(after: .zero, target: held, name: "n") {}
      }
    }
  }

  @Test("P6 after it has run, on the loop's thread", arguments: pairs(Driver.allCases, Form.allCases))
  func afterRunning(_ driver: Driver, _ form: Form) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let freedOn = Log(of: pthread_t.self)
      TestThread { _ = form.queue(on: loop, freedOn) }.join()
      #expect(freedOn.entries.isEmpty)
      if form == .otherMode { loop.run(mode: "other", for: .zero) }
      loop.perform(after: .milliseconds(1), priority: .low) { drive.quit() }
      drive.run()
      #expect(freedOn.entries == [pthread_self()])
    }
  }

  @Test("P6 when it has run, not when the others of its batch have", arguments: Driver.allCases)
  func notWithTheBatch(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let freedOn = Log(of: pthread_t.self)
      _ = Form.plain.queue(on: loop, freedOn)
      loop.perform {
        #expect(freedOn.count == 1)
        drive.quit()
      }
      drive.run()
    }
  }

  @Test(
    "P6 when it is cancelled, on the loop's thread", arguments: pairs(Driver.allCases, Form.allCases), [true, false])
  func cancelled(_ combination: (Driver, Form), fromOtherThread: Bool) async throws {
    let (driver, form) = combination
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let freedOn = Log(of: pthread_t.self)
      if fromOtherThread {
        TestThread { form.queue(on: loop, freedOn).cancel() }.join()
      } else {
        form.queue(on: loop, freedOn).cancel()
      }
      loop.perform(after: .milliseconds(1)) { drive.quit() }
      drive.run()
      #expect(freedOn.entries == [pthread_self()])
    }
  }

  @Test("P6 when the loop ends, on its thread, without having run", arguments: Form.allCases)
  func loopEnds(_ form: Form) async throws {
    let freedOn = Log(of: pthread_t.self)
    let thread = try await onLoopThread {
      let loop = GRunLoop.current
      TestThread { _ = form.queue(on: loop, freedOn) }.join()
      return pthread_self()
    }
    #expect(freedOn.entries == [thread])
  }

  @Test("P6 of a loop that has ended it is let go at once", arguments: Form.allCases)
  func hasEnded(_ form: Form) async throws {
    let loop = try await onLoopThread { GRunLoop.current }
    let freedOn = Log(of: pthread_t.self)
    let warnings = CapturedWarnings.during { form.queue(on: loop, freedOn).cancel() }
    #expect(freedOn.entries == [pthread_self()])
    _ = warnings
  }

  @Test("P6 of one that was waited for, before the waiting ends")
  func waitedFor() throws {
    let worker = LoopWorker()
    let freedOn = Log(of: pthread_t.self)
    for _ in 0..<200 {
      let count = freedOn.count
      weak var gone: Held?
      func call() throws {
        let held = Held(freedOn)
        gone = held
        try worker.loop.performAndWait { _ = held }
      }
      try call()
      #expect(gone == nil)
      #expect(freedOn.count == count + 1)
    }
    worker.finish()
  }
}
