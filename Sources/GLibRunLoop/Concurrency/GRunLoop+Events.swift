extension GRunLoop {
  /// The dates of a repeating timer, as they come.
  ///
  /// ```swift
  /// for await date in loop.ticks(every: .seconds(1), tolerance: .milliseconds(50)) { redraw(date) }
  /// ```
  ///
  /// A tick is kept until it is asked for, and only the last one: whoever is busy over several dates finds one tick, as
  /// a timer does. Dates keep their phase.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks. Zero or less means the smallest one: 0.1 ms.
  ///   - firstDate: The first tick's date; one interval after the iteration begins if not given.
  ///   - tolerance: How much later than its date a tick may come.
  ///   - modes: The modes in which the timer fires.
  public func ticks(
    every interval: Duration, from firstDate: Instant? = nil, tolerance: Duration = .zero,
    inModes modes: [Mode] = [.common]
  ) -> EventSequence<Instant> {
    sequence(buffering: .bufferingNewest(1), inModes: modes) { feed in
      // Inside its handler a timer's date is still the one that has come.
      let timer = Timer(
        fireDate: firstDate ?? self.now(on: .monotonic) + max(interval, Timer.smallestInterval), interval: interval,
        repeats: true, tolerance: tolerance,
        sendableHandler: { feed.send($0.fireDate) })
      return EventItems(items: [timer])
    }
  }

  /// What a file descriptor is ready for, each time that it is asked for.
  ///
  /// ```swift
  /// for await events in loop.events(.readable, of: socket) {
  ///   if read(socket, buffer, size) <= 0 || events.contains(.hungUp) { break }
  /// }
  /// ```
  ///
  /// Level-triggered, without spinning: the descriptor is watched only while a task waits for the next event. One that
  /// is asked for while the descriptor is ready, because not all was read, comes at once. Nothing is kept: an event
  /// says how things stood when it was asked for. After ``DescriptorSource/Events/invalid`` the sequence has ended.
  ///
  /// End the iteration before the descriptor is closed.
  ///
  /// - Parameters:
  ///   - events: What to watch for.
  ///   - fileDescriptor: An open descriptor; it remains the caller's.
  ///   - modes: The modes in which it is watched.
  public func events(
    _ events: DescriptorSource.Events, of fileDescriptor: CInt, inModes modes: [Mode] = [.common]
  ) -> EventSequence<DescriptorSource.Events> {
    sequence(buffering: .bufferingNewest(1), inModes: modes) { feed in
      let source = DescriptorSource(
        fileDescriptor: fileDescriptor, events: [],
        sendableHandler: { source, ready in
          // Before the event is given: whoever has it may ask again at once.
          source.events = []
          feed.send(ready)
        })
      return EventItems(items: [source], asked: { source.events = events })
    }
  }

  /// POSIX signals, as the process receives them.
  ///
  /// ```swift
  /// for await signal in loop.signals(SIGINT, SIGTERM) { await save(); exit(128 + signal) }
  /// ```
  ///
  /// Each signal is kept until it is asked for, once, as the kernel keeps them. None that comes while the last one is
  /// being dealt with is lost. Signals that may be waited for are those of ``SignalSource``.
  ///
  /// - Parameters:
  ///   - signals: Their numbers.
  ///   - modes: The modes in which they are heard.
  public func signals(_ signals: CInt..., inModes modes: [Mode] = [.common]) -> EventSequence<CInt> {
    sequence(buffering: .unbounded, inModes: modes) { feed in
      let kept = KeptSignals()
      let sources = Set(signals).map { signal in
        SignalSource(signal: signal, sendableHandler: { _ in if kept.insert(signal) { feed.send(signal) } })
      }
      return EventItems(items: sources, given: { kept.remove($0) })
    }
  }

  /// The points of its turn that the loop comes to.
  ///
  /// The loop does not wait for whoever listens: it has gone on when an activity is given. A task on the loop itself
  /// that listens to ``Activities/beforeWaiting`` or ``Activities/afterWaiting`` keeps it from sleeping, since the
  /// task's turn is work of the loop; listen to those from elsewhere.
  ///
  /// - Parameters:
  ///   - activities: What to be told of.
  ///   - count: How many are kept until they are asked for. When there are more, the oldest go.
  ///   - modes: The modes in which the loop is observed.
  public func activities(
    _ activities: Activities, keeping count: Int = 64, inModes modes: [Mode] = [.common]
  ) -> EventSequence<Activities> {
    sequence(buffering: .bufferingNewest(max(1, count)), inModes: modes) { feed in
      EventItems(items: [Observer(activities: activities, sendableHandler: { feed.send($1) })])
    }
  }
}

/// The signals that were received and not given yet: each one waits once.
private final class KeptSignals: @unchecked Sendable {
  // Invariant for @unchecked: `signals` is touched only with the lock held.
  private let lock = Lock()
  private var signals: Set<CInt> = []

  /// False if it waits already.
  func insert(_ signal: CInt) -> Bool { lock.withLock { signals.insert(signal).inserted } }
  func remove(_ signal: CInt) { lock.withLock { _ = signals.remove(signal) } }
}
