extension GRunLoop {
  /// What an item of a loop has to tell, as an asynchronous sequence: from ``ticks(every:from:tolerance:inModes:)``,
  /// ``events(_:of:inModes:)``, ``signals(_:inModes:)`` or ``activities(_:keeping:inModes:)``.
  ///
  /// Each iteration has an item of its own, which is added to the loop when the iterator is made, and invalidated when
  /// the iterator is dropped or the task that awaits it is cancelled. Then the sequence has ended, and so it has when
  /// the loop ends. An item that the loop refuses gives an empty sequence, and a line in the log that says why.
  public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// It does not fail; it ends.
    public typealias Failure = Never

    fileprivate let make: @Sendable () -> AsyncIterator

    /// Makes an item, and gives what it tells.
    public func makeAsyncIterator() -> AsyncIterator { make() }

    /// Holds the item; see ``EventSequence``. For one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var events: AsyncStream<Element>.Iterator
      fileprivate let items: OwnedItems
      fileprivate let asked: (() -> Void)?
      fileprivate let given: ((Element) -> Void)?

      /// The next event; nil at the end.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        asked?()
        let event = await events.next(isolation: actor)
        // Here, and not where the task is cancelled: see `Suspension`.
        if let event { given?(event) } else { items.invalidate() }
        return event
      }

      /// The next event; nil at the end.
      public mutating func next() async -> Element? { await next(isolation: nil) }
    }
  }
}

/// The loop's end of a sequence. Held by the items' handlers alone: when they are freed, the sequence ends.
final class EventFeed<Element: Sendable>: Sendable {
  private let continuation: AsyncStream<Element>.Continuation

  fileprivate init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }

  func send(_ event: Element) { continuation.yield(event) }
}

/// The items of one iteration, and what is to be done when an event is asked for or was given.
struct EventItems<Element: Sendable> {
  let items: [GRunLoop.Item]
  var asked: (() -> Void)?
  var given: ((Element) -> Void)?
}

extension GRunLoop {
  /// A sequence of what items tell.
  ///
  /// - Parameters:
  ///   - buffering: What is kept until it is asked for.
  ///   - items: Makes the items of one iteration.
  func sequence<Element: Sendable>(
    buffering: AsyncStream<Element>.Continuation.BufferingPolicy, inModes modes: [Mode],
    _ items: @escaping @Sendable (EventFeed<Element>) -> EventItems<Element>
  ) -> EventSequence<Element> {
    EventSequence { [self] in
      let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
      let made = items(EventFeed(continuation))
      let owned = OwnedItems(made.items)
      for item in made.items {
        guard let failure = begin(item, inModes: modes) else { continue }
        diagnose("\(Swift.type(of: item)) of a sequence was not added: \(failure)")
        // Nobody would ever end a sequence without its items.
        owned.invalidate()
        continuation.finish()
        break
      }
      return EventSequence.AsyncIterator(
        events: stream.makeAsyncIterator(), items: owned, asked: made.asked, given: made.given)
    }
  }
}

/// The items of an iteration, as long as somebody iterates.
private final class OwnedItems {
  private let items: [GRunLoop.Item]

  init(_ items: [GRunLoop.Item]) { self.items = items }

  deinit { invalidate() }

  func invalidate() { for item in items { item.invalidate() } }
}
