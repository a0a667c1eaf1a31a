import GLibRunLoop
import Glibc
import Synchronization
import Testing

/// A thousand mixed items in five modes, while four threads add, move, signal and invalidate; then exact accounts.
@Suite(.serialized) struct ThousandItemsTests {
  static let modes: [GRunLoop.Mode] = [.default, .modalPanel, .eventTracking, "private one", "private two"]

  @Test(
    "L4, M2, S1, S5, P1, T11 a thousand items under four threads: nothing lost, doubled or leaked",
    arguments: Driver.allCases)
  func thousandItems(_ driver: Driver) async {
    // In a process of its own, whose descriptors nobody else opens and closes.
    await #expect(processExitsWith: .success) { [driver = driver as Driver] in
      try await Self.scenario(driver)
      let descriptors = OpenDescriptors.count
      let before = Tracked.alive.load(ordering: .relaxed)
      try await Self.scenario(driver)
      #expect(Tracked.alive.load(ordering: .relaxed) == before, "closures or what they captured leaked")
      #expect(OpenDescriptors.count == descriptors, "descriptors leaked")
    }
  }

  private static func scenario(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let crowd = Crowd(on: drive.loop)
      let threads = (0..<4).map { number in TestThread { crowd.disturb(UInt64(number + 1)) } }
      // The main part of the time goes to the driver; private modes have their turns from a timer, as nested runs.
      var turn = 0
      let visits = GRunLoop.Timer(interval: .milliseconds(5), repeats: true) { _ in
        turn += 1
        drive.loop.run(mode: modes[1 + turn % 4], for: .milliseconds(2))
        if crowd.isQuiet && crowd.threadsLeft == 0 { drive.quit() }
      }
      drive.loop.add(visits, forMode: .default)
      let end = GRunLoop.Timer(interval: .seconds(2)) { _ in crowd.stopDisturbing() }
      drive.loop.add(end, forMode: .common)
      drive.run(limit: .seconds(60))
      for thread in threads { thread.join() }
      visits.invalidate()
      crowd.check()
      crowd.close()
    }
  }
}

/// Counts its instances, so that whatever captured one and was not freed shows.
private final class Tracked: Sendable {
  static let alive = Atomic<Int>(0)

  init() { Self.alive.add(1, ordering: .relaxed) }
  deinit { Self.alive.subtract(1, ordering: .relaxed) }
}

/// One signalled source and its account: every signal is followed by a call, and no call comes without a signal.
private final class Counted: Sendable {
  let signals = Atomic<Int>(0)
  let calls = Atomic<Int>(0)
  /// The number of signals that the last call had seen: it began after all of them.
  let seen = Atomic<Int>(0)
  let source: GRunLoop.Source

  init(_ owner: Tracked) {
    let box = Box()
    source = GRunLoop.Source(
      order: Int.random(in: -2...2),
      sendableHandler: { [box, owner] _ in
        withExtendedLifetime(owner) { box.counted?.called() }
      })
    box.set(self)
  }

  private final class Box: @unchecked Sendable {
    // Set once, before the source is added.
    private(set) weak var counted: Counted?
    func set(_ counted: Counted) { self.counted = counted }
  }

  func signal() {
    signals.add(1, ordering: .sequentiallyConsistent)
    source.signal()
  }

  private func called() {
    seen.store(signals.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
    calls.add(1, ordering: .relaxed)
  }

  var isSettled: Bool {
    seen.load(ordering: .sequentiallyConsistent) == signals.load(ordering: .sequentiallyConsistent)
  }
}

private final class Crowd: @unchecked Sendable {
  // Fixed after init, but for what is atomic.
  let loop: GRunLoop
  let sources: [Counted]
  private let pipes: [Pipe]
  private let timers: [GRunLoop.Timer]
  private let timerCalls = Atomic<Int>(0)
  private let performed = Atomic<Int>(0)
  private let queued = Atomic<Int>(0)
  private let delayed = Atomic<Int>(0)
  private let delayedRun = Atomic<Int>(0)
  private let disturbing = Atomic<Bool>(true)
  private let running = Atomic<Int>(4)

  init(on loop: GRunLoop) {
    self.loop = loop
    let modes = ThousandItemsTests.modes
    sources = (0..<400).map { _ in Counted(Tracked()) }
    for (index, counted) in sources.enumerated() {
      loop.add(counted.source, forMode: modes[index % 5])
      if index % 7 == 0 { loop.add(counted.source, forMode: modes[(index + 1) % 5]) }
    }
    pipes = (0..<100).map { Pipe(on: loop, mode: modes[$0 % 5]) }
    let calls = Calls()
    timers = (0..<500).map { index in
      let tracked = Tracked()
      let timer = GRunLoop.Timer(
        interval: .milliseconds(3 + index % 40), repeats: true, tolerance: .milliseconds(index % 3),
        sendableHandler: { [calls] _ in
          withExtendedLifetime(tracked) {}
          calls.count.add(1, ordering: .relaxed)
        })
      loop.add(timer, forMode: modes[index % 5])
      return timer
    }
  }

  private final class Calls: Sendable {
    let count = Atomic<Int>(0)
  }

  var threadsLeft: Int { running.load(ordering: .sequentiallyConsistent) }
  func stopDisturbing() { disturbing.store(false, ordering: .relaxed) }

  var isQuiet: Bool {
    sources.allSatisfy(\.isSettled) && pipes.allSatisfy(\.isSettled)
      && performed.load(ordering: .relaxed) == queued.load(ordering: .relaxed)
      && delayedRun.load(ordering: .relaxed) == delayed.load(ordering: .relaxed)
  }

  /// What each of the four threads does.
  func disturb(_ seed: UInt64) {
    var random = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15)
    while disturbing.load(ordering: .relaxed) {
      switch random.next() % 8 {
      case 0, 1: sources[Int(random.next() % 400)].signal()
      case 2: pipes[Int(random.next() % 100)].write()
      case 3:
        let timer = timers[Int(random.next() % 500)]
        timer.fireDate = .now + .milliseconds(Int(random.next() % 20))
      case 4:
        queued.add(1, ordering: .relaxed)
        let tracked = Tracked()
        loop.perform(inModes: [ThousandItemsTests.modes[Int(random.next() % 5)]]) { [self] in
          withExtendedLifetime(tracked) {}
          performed.add(1, ordering: .relaxed)
        }
      case 5:
        delayed.add(1, ordering: .relaxed)
        loop.perform(after: .milliseconds(Int(random.next() % 10))) { [self] in delayedRun.add(1, ordering: .relaxed) }
      case 6:
        // Comes and goes: must never be called after invalidate() has returned and a pass has gone by.
        let tracked = Tracked()
        let guest = GRunLoop.Source(sendableHandler: { _ in withExtendedLifetime(tracked) {} })
        loop.add(guest, forMode: ThousandItemsTests.modes[Int(random.next() % 5)])
        guest.signal()
        guest.invalidate()
      default:
        let guest = GRunLoop.Timer(interval: .microseconds(200), repeats: true, sendableHandler: { _ in })
        loop.add(guest, forMode: .common)
        guest.fireDate = .now
        loop.remove(guest, forMode: .common)
        guest.invalidate()
      }
      if random.next() % 64 == 0 { usleep(500) }
    }
    running.subtract(1, ordering: .sequentiallyConsistent)
  }

  func check() {
    for counted in sources {
      #expect(counted.isSettled, "a signal was lost")
      #expect(counted.calls.load(ordering: .relaxed) <= counted.signals.load(ordering: .relaxed), "a call too many")
    }
    for pipe in pipes { #expect(pipe.isSettled, "a byte was lost") }
    #expect(performed.load(ordering: .relaxed) == queued.load(ordering: .relaxed))
    #expect(delayedRun.load(ordering: .relaxed) == delayed.load(ordering: .relaxed))
  }

  func close() {
    for counted in sources { counted.source.invalidate() }
    for timer in timers { timer.invalidate() }
    for pipe in pipes { pipe.close() }
  }
}

private final class Pipe: Sendable {
  private let written = Atomic<Int>(0)
  private let counter: Counter
  private let ends: (read: CInt, write: CInt)
  private let source: GRunLoop.DescriptorSource

  private final class Counter: Sendable {
    let read = Atomic<Int>(0)
  }

  init(on loop: GRunLoop, mode: GRunLoop.Mode) {
    var descriptors: [CInt] = [0, 0]
    precondition(pipe(&descriptors) == 0)
    ends = (descriptors[0], descriptors[1])
    let counter = Counter()
    self.counter = counter
    let tracked = Tracked()
    source = GRunLoop.DescriptorSource(
      fileDescriptor: ends.read, events: .readable,
      sendableHandler: { source, events in
        withExtendedLifetime(tracked) {}
        var buffer = [UInt8](repeating: 0, count: 4)
        let count = Glibc.read(source.fileDescriptor, &buffer, 4)
        counter.read.add(count, ordering: .relaxed)
      })
    loop.add(source, forMode: mode)
  }

  func write() {
    // Below the pipe's size, since its reader may be in a mode that has not run for some time.
    guard written.load(ordering: .relaxed) - counter.read.load(ordering: .relaxed) < 10_000 else { return }
    written.add(1, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 1
    precondition(Glibc.write(ends.write, &byte, 1) == 1)
  }

  var isSettled: Bool { counter.read.load(ordering: .relaxed) == written.load(ordering: .sequentiallyConsistent) }

  func close() {
    source.invalidate()
    Glibc.close(ends.read)
    Glibc.close(ends.write)
  }
}

private struct Xorshift {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
