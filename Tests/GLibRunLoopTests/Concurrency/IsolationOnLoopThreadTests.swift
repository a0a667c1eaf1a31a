import CGLib
import GLibRunLoop
import Testing

@Suite struct IsolationOnLoopThreadTests {
  @Test("C3 assumeIsolated and preconditionIsolated hold in handlers and performs", arguments: Driver.allCases)
  func inHandlers(_ driver: Driver) throws {
    try onLoopThread {
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

  @Test("C3 they hold in a C call-back that GLib made on the loop's thread", arguments: Driver.allCases)
  func inCallBack(_ driver: Driver) throws {
    try onLoopThread {
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
