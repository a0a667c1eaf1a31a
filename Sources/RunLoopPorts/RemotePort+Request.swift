import GLibRunLoop

extension RemotePort {
  /// Asks, and waits for the answer; the calling thread's loop runs in `replyMode` meanwhile.
  ///
  /// A stop of that run does not end the wait; it is handed on to the run around it when the wait is over, unless it
  /// came in the very pass that took the answer: a run that handled a source does not say that it was stopped, too. An
  /// answer that comes after its time is dropped. (`CFMessagePortSendRequest`)
  ///
  /// - Parameters:
  ///   - message: The question. Its reply port must be nil.
  ///   - sendTimeout: How long the question may wait for the other process to make room; nil is without end.
  ///   - receiveTimeout: How long the answer may take from when the question was sent; nil is without end.
  ///   - replyMode: The mode to run in, such as ``/GLibRunLoop/GRunLoop/Mode/connectionReply``. What is to go on
  ///     meanwhile must be in it: if this thread's own loop has the port that is asked, that, too.
  /// - Returns: The answer.
  /// - Throws: ``PortFailure/timedOut``, ``PortFailure/invalid`` as soon as the other process has gone,
  ///   ``PortFailure/noReply``, ``PortFailure/notSendable(_:)``, ``PortFailure/notAMode(_:)``, or a system call's failure.
  public func request(
    _ message: PortMessage, sendTimeout: Duration? = nil, receiveTimeout: Duration? = nil, replyMode: GRunLoop.Mode
  ) throws -> PortMessage {
    if replyMode == .common || replyMode.rawValue.isEmpty { throw PortFailure.notAMode("\(replyMode)") }
    let loop = GRunLoop.current
    let question = WaitingQuestion(of: self, on: loop)
    let expectation = question.expectation!
    leaveAnswersToThreads()
    try ask(message, question)
    var isStopped = false
    defer { if isStopped { loop.stop() } }
    expectation.renew()
    var isSent = question.isSent
    var limit = RemotePort.limit(isSent ? receiveTimeout : sendTimeout)
    while true {
      if let answer = question.answer { return try answer.get() }
      if !isSent, question.isSent {
        isSent = true
        limit = RemotePort.limit(receiveTimeout)
      }
      if GRunLoop.Instant.hasPassed(limit) {
        // What has come by now counts.
        pump()
        giveUp(question, because: PortFailure.timedOut)
      } else {
        expectation.events = isSent ? .readable : [.readable, .writable]
        switch loop.run(mode: replyMode, before: limit, expecting: expectation) {
        case .stopped: isStopped = true
        case .finished: giveUp(question, because: PortFailure.invalid)
        case .timedOut, .handledSource: break
        }
      }
      expectation.renew()
    }
  }

  /// Asks, and awaits the answer, while ``init(_:on:limits:timeout:invalidationHandler:)``'s loop runs in a common mode.
  /// If the task is cancelled, the question is given up; an answer that comes is dropped.
  ///
  /// - Parameters: As for the form with a reply mode.
  /// - Throws: As that one, and `CancellationError`.
  public func request(
    _ message: PortMessage, sendTimeout: Duration? = nil, receiveTimeout: Duration? = nil
  ) async throws -> PortMessage {
    let waiter = Waiter(of: self, receiveTimeout: receiveTimeout)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.set(continuation: continuation)
        do {
          waiter.set(timer: timeOut(after: sendTimeout, waiter))
          try ask(message, waiter)
        } catch {
          waiter.settle(.failure(error))
        }
      }
    } onCancel: {
      giveUp(waiter, because: CancellationError())
    }
  }

  fileprivate func timeOut(after duration: Duration?, _ question: Question) -> GRunLoop.Timer? {
    guard let duration else { return nil }
    let timer = GRunLoop.Timer(
      fireDate: .now + max(.zero, duration),
      sendableHandler: { [weak self, weak question] _ in
        // What has come by now counts.
        self?.pump()
        if let question { self?.giveUp(question, because: PortFailure.timedOut) }
      })
    loop.add(timer, forMode: .common)
    return timer
  }

  private static func limit(_ timeout: Duration?) -> Int64 {
    guard let timeout else { return .max }
    return (GRunLoop.Instant.now + timeout).nanoseconds
  }
}

/// A task that waits for an answer, and the timer that ends the wait.
private final class Waiter: Question, @unchecked Sendable {
  // Invariant for @unchecked: guarded by its own monitor.
  private let monitor = Monitor()
  private var continuation: CheckedContinuation<PortMessage, any Error>?
  private var timer: GRunLoop.Timer?
  private let receiveTimeout: Duration?

  init(of port: RemotePort, receiveTimeout: Duration?) {
    self.receiveTimeout = receiveTimeout
    super.init(of: port)
  }

  override func wasSent() { set(timer: port.timeOut(after: receiveTimeout, self)) }

  func set(continuation: CheckedContinuation<PortMessage, any Error>) {
    monitor.withLock { self.continuation = continuation }
  }

  /// Puts another timer, or none, in the place of the one that runs.
  func set(timer new: GRunLoop.Timer?) {
    let old = monitor.withLock { () -> GRunLoop.Timer? in
      // Settled already.
      guard continuation != nil else { return new }
      defer { timer = new }
      return timer
    }
    old?.invalidate()
  }

  override func settle(_ result: Result<PortMessage, any Error>) {
    let (continuation, timer) = monitor.withLock {
      defer { (self.continuation, self.timer) = (nil, nil) }
      return (self.continuation, self.timer)
    }
    timer?.invalidate()
    continuation?.resume(with: result)
  }
}
