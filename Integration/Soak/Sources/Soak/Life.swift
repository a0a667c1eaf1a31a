import CGLib
import GLibRunLoop
import Glibc
import Synchronization
import ThreadKit

enum Driver: CaseIterable { case swift, glib }

/// One loop from its making to its end, on a thread of its own: it works for itself and for others.
final class Life: @unchecked Sendable {
  // `random`, `depth`, `later` and the items belong to the loop's thread; `loop` is set there before anyone else knows of
  // this object; all else is atomic or locked.
  static let privateModes: [GRunLoop.Mode] = ["soak 1", "soak 2", "soak 3"]

  private(set) var loop: GRunLoop!
  let driver: Driver
  let town: Town
  var random: Random
  /// How many runs are nested now.
  var depth = 0
  /// What may be called off later.
  var later: [(ticket: Ticket, cancel: () -> Void)] = []

  private let isOver = Atomic(false)
  private let ended = Atomic(false)
  private let signalsBegun = Atomic(0)
  private let signalsGiven = Atomic(0)
  /// How many were begun when the source was last called.
  private let signalsSeen = Atomic(0)
  private var source: GRunLoop.Source!
  private let pipe = Locked<(reader: CInt, writer: CInt)?>(nil)
  private let bytesWritten = Atomic(0)
  private let bytesRead = Atomic(0)

  init(_ driver: Driver, in town: Town, seed: UInt64) {
    self.driver = driver
    self.town = town
    random = Random(seed)
  }

  /// The loop takes no more work; what is queued goes.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  /// The whole life, on its thread.
  func live(for duration: Duration) {
    loop = .current
    count(Counters.loops)
    let items = prepare()
    town.enter(self)
    let mainLoop = g_main_loop_new(loop.context, 0)
    let end = GRunLoop.Timer(interval: duration) { [unowned self] _ in
      isOver.store(true, ordering: .relaxed)
      loop.stop()
      g_main_loop_quit(mainLoop)
    }
    loop.add(end, forMode: .common)
    while !isOver.load(ordering: .relaxed) {
      switch driver {
      case .swift: loop.run(mode: .default, for: .milliseconds(100))
      case .glib: g_main_loop_run(mainLoop)
      }
    }
    g_main_loop_unref(mainLoop)
    town.leave(self)
    close(items)
  }

  private func prepare() -> [GRunLoop.Item] {
    // The two that others reach from their threads.
    let source = GRunLoop.Source { [unowned self] _ in
      signalsSeen.store(signalsBegun.load(ordering: .acquiring), ordering: .relaxed)
      count(Counters.sourceCalls)
    }
    self.source = source
    var ends: [CInt] = [-1, -1]
    precondition(Glibc.pipe(&ends) == 0, "pipe failed: \(errno)")
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    pipe.withLock { [ends] in $0 = (ends[0], ends[1]) }
    let input = GRunLoop.DescriptorSource(fileDescriptor: ends[0], events: .readable) { [unowned self] _, events in
      if events.contains(.invalid) { complain("an open descriptor was called invalid") }
      take(ends[0])
    }
    let ticker = GRunLoop.Timer(interval: .microseconds(700), repeats: true, tolerance: .microseconds(100)) {
      [unowned self] timer in
      if .now < timer.fireDate { complain("a repeating timer was early") }
      count(Counters.ticks)
      for _ in 0..<Int.random(in: 0...6, using: &random) { act() }
    }
    var lastActivity = GRunLoop.Activities.exit
    let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
      if activity == lastActivity { complain("\(activity) came twice in a row") }
      lastActivity = activity
    }
    // Every other life is watched: that changes how the loop sleeps.
    let items: [GRunLoop.Item] = [source, input, ticker] + (random.chance(50) ? [observer] : [])
    for item in items { loop.add(item, forMode: .common) }
    return items
  }

  private func take(_ reader: CInt) {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
      let got = read(reader, bytes.baseAddress, bytes.count)
      if got > 0 { count(bytesRead, got) }
    }
  }

  /// From any thread.
  func signal() {
    count(Counters.signals)
    signalsBegun.wrappingAdd(1, ordering: .releasing)
    source.signal()
    signalsGiven.wrappingAdd(1, ordering: .releasing)
  }

  /// From any thread: one more byte for the loop to read.
  func writeByte() {
    pipe.withLock { ends in
      guard let ends else { return }
      if write(ends.writer, "b", 1) == 1 { count(bytesWritten) }
    }
  }

  private func close(_ items: [GRunLoop.Item]) {
    // What was given until now must have been heard when all that is ready has had its turn.
    let given = signalsGiven.load(ordering: .acquiring)
    let ends = pipe.withLock { ends in
      defer { ends = nil }
      return ends!
    }
    for _ in 0..<4 { loop.run(until: .distantPast) }
    if signalsSeen.load(ordering: .relaxed) < given { complain("a signal was not heard") }
    var rounds = 0
    while value(bytesRead) < value(bytesWritten), rounds < 10_000 {
      loop.run(until: .distantPast)
      rounds += 1
    }
    if value(bytesRead) != value(bytesWritten) { complain("bytes were not read") }
    count(Counters.bytesWritten, value(bytesWritten))
    count(Counters.bytesRead, value(bytesRead))
    items[1].invalidate()
    Glibc.close(ends.reader)
    Glibc.close(ends.writer)
    later = []
    // Some are left to the end of the thread.
    if random.chance(50) { for item in items { item.invalidate() } }
    ended.store(true, ordering: .releasing)
  }
}
