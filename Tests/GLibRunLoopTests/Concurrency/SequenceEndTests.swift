import GLibRunLoop
import Testing

/// The kinds of sequence that a loop gives, and what their items are called in its description.
private enum Kind: String, CaseIterable, Sendable {
  case ticks = "Timer"
  case events = "DescriptorSource"
  case activities = "Observer"
  case signals = "SignalSource"

  /// Iterates without end, and says when the iteration has begun.
  func iterate(_ loop: GRunLoop, _ descriptor: CInt, begun: () -> Void) async {
    switch self {
    case .ticks: await Self.exhaust(loop.ticks(every: .seconds(3600)), begun)
    case .events: await Self.exhaust(loop.events(.readable, of: descriptor), begun)
    case .activities: await Self.exhaust(loop.activities(.exit), begun)
    case .signals: await Self.exhaust(loop.signals(signalOfTests), begun)
    }
  }

  /// Makes an iterator and drops it.
  func drop(_ loop: GRunLoop, _ descriptor: CInt) {
    switch self {
    case .ticks: _ = loop.ticks(every: .seconds(3600)).makeAsyncIterator()
    case .events: _ = loop.events(.readable, of: descriptor).makeAsyncIterator()
    case .activities: _ = loop.activities(.exit).makeAsyncIterator()
    case .signals: _ = loop.signals(signalOfTests).makeAsyncIterator()
    }
  }

  private static func exhaust<Element>(_ sequence: GRunLoop.EventSequence<Element>, _ begun: () -> Void) async {
    var events = sequence.makeAsyncIterator()
    begun()
    while await events.next() != nil {}
  }
}

/// Nobody sends it.
private let signalOfTests: CInt = 1

@Suite(.patient) struct SequenceEndTests {
  @Test("C6 cancelling the task ends the sequence and frees the item", arguments: pairs(Driver.allCases, Kind.allCases))
  fileprivate func cancelled(_ driver: Driver, _ kind: Kind) async throws {
    try await withDrivenLoop(driver) { loop in
      let pipe = TestPipe()
      let before = loop.count(of: kind.rawValue)
      let task = Task {
        await kind.iterate(loop, pipe.reader) { #expect(loop.count(of: kind.rawValue) == before + 1) }
      }
      while loop.count(of: kind.rawValue) == before { await Task.yield() }
      task.cancel()
      await task.value
      try await loop.settle()
      #expect(loop.count(of: kind.rawValue) == before)
    }
  }

  @Test("C6 dropping the iterator frees the item", arguments: pairs(Driver.allCases, Kind.allCases))
  fileprivate func dropped(_ driver: Driver, _ kind: Kind) async throws {
    try await withDrivenLoop(driver) { loop in
      let pipe = TestPipe()
      let before = loop.count(of: kind.rawValue)
      kind.drop(loop, pipe.reader)
      try await loop.settle()
      #expect(loop.count(of: kind.rawValue) == before)
    }
  }

  @Test("C6, L5 the loop's end is the sequence's, and after it a sequence is empty", arguments: Kind.allCases)
  fileprivate func loopEnds(_ kind: Kind) async throws {
    let worker = LoopWorker()
    let loop = worker.loop
    let pipe = TestPipe()
    let task = Task { await kind.iterate(loop, pipe.reader) {} }
    while loop.count(of: kind.rawValue) == 0 { await Task.yield() }
    worker.finish()
    await task.value
    await kind.iterate(loop, pipe.reader) {}
  }
}
