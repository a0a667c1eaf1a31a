import CGLib
import GLibRunLoop
import Testing

@Suite struct IsolationOnLoopThreadTests {
  @Test("C3 assumeIsolated and preconditionIsolated hold in handlers and performs", arguments: Driver.allCases)
  func inHandlers(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let counter = IsolatedCounter(loop: drive.loop)
      let source = GRunLoop.Source { _ in counter.incrementFromHere() }
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
        counter.incrementFromHere()
        drive.quit()
      }
      drive.loop.add(source, forMode: .default)
      drive.loop.add(timer, forMode: .default)
      drive.loop.perform { counter.incrementFromHere() }
      source.signal()
      drive.run()
      counter.incrementFromHere()
      #expect(counter.assumeIsolated { $0.count } == 4)
      source.invalidate()
    }
  }

  @Test("C3, C1 they hold for the main actor and for actors on the main loop", arguments: MainDriver.allCases)
  func onMainLoop(_ driver: MainDriver) async throws { try await runScenario("MainLoopAsExecutor", driver) }

  @Test("C3 they hold in a C call-back that GLib made on the loop's thread", arguments: Driver.allCases)
  func inCallBack(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let counter = IsolatedCounter(loop: drive.loop)
      let visit = Visit(counter: counter, drive: drive)
      let idle = g_idle_source_new()!
      g_source_set_callback(
        idle,
        { data in
          let visit = Unmanaged<Visit>.fromOpaque(data!).takeUnretainedValue()
          visit.counter.incrementFromHere()
          visit.drive.quit()
          return 0
        }, Unmanaged.passUnretained(visit).toOpaque(), nil)
      g_source_attach(idle, drive.loop.context)
      drive.run()
      g_source_unref(idle)
      #expect(counter.assumeIsolated { $0.count } == 1)
    }
  }

  @Test("C3, L3 they hold on a thread of GLib's whose context was adopted, from the first call-back on")
  func inAdoptedContext() throws {
    let context = g_main_context_new()!
    let counter = IsolatedCounter(loop: GRunLoop.loop(for: context))
    let shared = AdoptedContext(context: context, counter: counter)
    TestThread {
      let mainLoop = g_main_loop_new(shared.context, 0)!
      let idle = g_idle_source_new()!
      // Before the loop's own source has its first turn.
      g_source_set_priority(idle, G_PRIORITY_HIGH)
      let visit = AdoptedVisit(counter: shared.counter, mainLoop: mainLoop)
      g_source_set_callback(
        idle,
        { data in
          let visit = Unmanaged<AdoptedVisit>.fromOpaque(data!).takeUnretainedValue()
          visit.counter.incrementFromHere()
          g_main_loop_quit(visit.mainLoop)
          return 0
        }, Unmanaged.passUnretained(visit).toOpaque(), nil)
      g_source_attach(idle, shared.context)
      g_main_loop_run(mainLoop)
      #expect(shared.counter.assumeIsolated { $0.count } == 1)
      g_source_unref(idle)
      g_main_loop_unref(mainLoop)
    }.join()
    g_main_context_unref(context)
  }

  private struct AdoptedContext: @unchecked Sendable {
    // The test's thread only makes it, and waits.
    let context: OpaquePointer
    let counter: IsolatedCounter
  }

  private final class AdoptedVisit {
    let counter: IsolatedCounter
    let mainLoop: OpaquePointer

    init(counter: IsolatedCounter, mainLoop: OpaquePointer) { (self.counter, self.mainLoop) = (counter, mainLoop) }
  }

  private final class Visit {
    let counter: IsolatedCounter
    let drive: Drive

    init(counter: IsolatedCounter, drive: Drive) { (self.counter, self.drive) = (counter, drive) }
  }
}

private actor IsolatedCounter {
  private let loop: GRunLoop
  private(set) var count = 0

  init(loop: GRunLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  nonisolated func incrementFromHere() {
    preconditionIsolated()
    assertIsolated()
    assumeIsolated { $0.count += 1 }
  }
}
