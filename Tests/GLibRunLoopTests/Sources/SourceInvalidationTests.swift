import GLibRunLoop
import Glibc
import Testing

@Suite struct SourceInvalidationTests {
  enum Place: CaseIterable, Sendable {
    case ownHandler, otherSource, descriptorSource, timer, observer, perform, joining, leaving, anotherThread
  }

  /// The sources of a scenario; every handler holds it, so that only invalidation can end the circle.
  private final class Scene: @unchecked Sendable {
    // Touched only on the loop's thread.
    var items: [GRunLoop.Item] = []
    var isOver = false
    var calls = 0
    let pipe = TestPipe()

    func end() {
      isOver = true
      for item in items { item.invalidate() }
    }
  }

  private final class WeakItem {
    weak var item: GRunLoop.Item?

    init(_ item: GRunLoop.Item) { self.item = item }
  }

  @Test(
    "S8 invalidated inside any call-back, its own included: no later call, no leak",
    arguments: Driver.allCases, Place.allCases)
  func inAnyCallBack(_ driver: Driver, _ place: Place) throws {
    try onLoopThread {
      let lives = LifeCount()
      let drive = Drive(driver)
      let remains = Self.play(drive, place, lives)
      drive.run(for: .milliseconds(5))
      #expect(lives.value == 0)
      #expect(remains.filter { $0.item != nil }.map { $0.item.debugDescription } == [])
    }
  }

  /// Two sources that are ready all the time are invalidated by a call-back of some kind.
  private static func play(_ drive: Drive, _ place: Place, _ lives: LifeCount) -> [WeakItem] {
    let loop = drive.loop
    let scene = Scene()
    scene.pipe.write()
    let token = lives.token()
    func called(_ item: GRunLoop.Item) {
      token.touch()
      #expect(!scene.isOver && item.isValid)
      scene.calls += 1
      if place == .ownHandler {
        item.invalidate()
        #expect(!item.isValid)
      }
    }
    let source = GRunLoop.Source { source in
      called(source)
      source.signal()
    }
    let descriptor = GRunLoop.DescriptorSource(fileDescriptor: scene.pipe.reader, events: .readable) { source, _ in
      called(source)
    }
    scene.items = [source, descriptor]
    for item in scene.items {
      loop.add(item, forMode: .default)
      loop.add(item, forMode: "other")
    }
    source.signal()

    var helper: GRunLoop.Item?
    switch place {
    case .ownHandler: break
    case .otherSource:
      // Before the others in the same pass, which finds all of them ready.
      let other = GRunLoop.Source(order: -1) { _ in scene.end() }
      other.signal()
      helper = other
    case .descriptorSource:
      helper = GRunLoop.DescriptorSource(fileDescriptor: scene.pipe.reader, events: .readable, order: -1) { item, _ in
        item.invalidate()
        scene.end()
      }
    case .timer: helper = GRunLoop.Timer(interval: .milliseconds(1)) { _ in scene.end() }
    case .observer: helper = GRunLoop.Observer(activities: .beforeSources, repeats: false) { _, _ in scene.end() }
    case .perform: loop.perform { scene.end() }
    case .joining: helper = GRunLoop.Source(onScheduled: { _, _, _ in scene.end() }, handler: { _ in })
    case .leaving: helper = GRunLoop.Source(onCancelled: { _, _, _ in scene.end() }, handler: { _ in })
    case .anotherThread:
      let items = scene.items
      TestThread { for item in items { item.invalidate() } }.join()
      scene.isOver = true
    }
    if let helper { loop.add(helper, forMode: .default) }
    if place == .leaving { helper?.invalidate() }
    drive.run(for: .milliseconds(10))
    helper?.invalidate()
    #expect(scene.items.allSatisfy { !$0.isValid })
    if place == .ownHandler { #expect(scene.calls == 2) }
    loop.run(mode: "other", for: .zero)
    return scene.items.map(WeakItem.init)
  }

  @Test("S8 invalidated by another thread while it fires: no call comes after, no leak", arguments: Driver.allCases)
  func race(_ driver: Driver) throws {
    let lives = LifeCount()
    try onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let calls = Locked((count: 0, round: -1))
      let pipe = TestPipe()
      pipe.write()
      let thread = TestThread {
        for round in 0..<200 {
          let token = lives.token()
          let source = GRunLoop.Source(sendableHandler: { source in
            token.touch()
            calls.withLock { $0 = ($0.count + 1, round) }
            source.signal()
          })
          let descriptor = GRunLoop.DescriptorSource(
            fileDescriptor: pipe.reader, events: .readable,
            sendableHandler: { _, _ in
              token.touch()
              calls.withLock { $0 = ($0.count + 1, round) }
            })
          for item in [source, descriptor] { loop.add(item, forMode: .default) }
          source.signal()
          if round % 2 == 0 { while calls.withLock({ $0.round }) != round { sched_yield() } }
          for item in [source, descriptor] { item.invalidate() }
          // Whatever call was about to be made is over when the loop comes to this.
          let count = try? loop.performAndWait(timeout: .seconds(30)) { calls.withLock { $0.count } }
          _ = try? loop.performAndWait(timeout: .seconds(30)) {}
          #expect(calls.withLock { $0.count } == count)
        }
        loop.perform { drive.quit() }
      }
      drive.run()
      thread.join()
    }
    #expect(lives.value == 0)
  }

  @Test("S8 a source that was never added frees its closure when it is let go or invalidated")
  func neverAdded() {
    let lives = LifeCount()
    do {
      let token = lives.token()
      _ = GRunLoop.Source { _ in token.touch() }
    }
    #expect(lives.value == 0)
    var holder: [GRunLoop.Item] = []
    do {
      let token = lives.token()
      holder = [GRunLoop.Source { _ in token.touch() }]
    }
    #expect(lives.value == 1)
    for item in holder { item.invalidate() }
    #expect(lives.value == 0)
    let source = GRunLoop.Source { _ in }
    source.invalidate()
    source.signal()
    #expect(!source.isSignalled)
  }
}
