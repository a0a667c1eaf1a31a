import GLibRunLoop
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
  func inAnyCallBack(_ driver: Driver, _ place: Place) async throws {
    try await onLoopThread {
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
}
