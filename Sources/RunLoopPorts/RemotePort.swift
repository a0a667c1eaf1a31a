import CPortShims
import GLibRunLoop
import Glibc

/// A named port of another process, or of this one: the end that sends and asks.
///
/// ```swift
/// let spell = try RemotePort("com.example.spell", on: .main)
/// let reply = try spell.request(PortMessage(id: 1, components: [word]), receiveTimeout: .seconds(1), replyMode: .default)
/// let other = try await spell.request(PortMessage(id: 1, components: [word]), receiveTimeout: .seconds(1))
/// ```
///
/// It can be used from every thread, by several at once. What one thread sends arrives in that order.
///
/// The counterpart is a remote `CFMessagePort`.
public final class RemotePort: @unchecked Sendable {
  // Invariant for @unchecked: what changes is guarded by the monitor; `source` and `anchor` are set once,
  // in init.

  /// The name that was looked up.
  public let name: PortName

  let channel: Channel
  let loop: GRunLoop
  let monitor = Monitor()
  private var source: GRunLoop.DescriptorSource! = nil
  /// Never signalled: it tells of the loop's end.
  private var anchor: GRunLoop.Source! = nil
  private var questions: [UInt64: Question] = [:]
  private var lastSequence: UInt64 = 0
  /// How many of the questions the port's loop is to take the answers for.
  private var awaited = 0
  /// Whether it looks for answers. If not, the threads that wait do, and it hears of the port's end only: else it would
  /// be woken for each answer, too.
  private var takesAnswers = true
  private var shown: GRunLoop.DescriptorSource.Events = .readable
  private var hasEnded = false
  private var invalidationHandler: (@Sendable () -> Void)?

  /// Looks a name up, and connects to the port that has it.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - loop: Hears of answers that are awaited, and of the port's end, in its common modes. A request with a reply mode
  ///     needs no other loop than its caller's.
  ///   - limits: How large messages and answers may be.
  ///   - timeout: How long the calling thread waits for a port that has more new peers than it can take at once.
  ///   - invalidationHandler: Called once, on that loop's thread, or on the one that calls ``invalidate()``, when nothing
  ///     can be sent any more: the other process has ended or let go of its port, or this one of its own. Not called when
  ///     the last reference goes.
  /// - Throws: ``PortFailure/notFound(_:)``, ``PortFailure/foreignUser(_:)``, ``PortFailure/badName(_:)``,
  ///   ``PortFailure/timedOut``, or a system call's failure.
  public init(
    _ name: PortName, on loop: GRunLoop, limits: PortLimits = PortLimits(), timeout: Duration? = .seconds(10),
    invalidationHandler: (@Sendable () -> Void)? = nil
  ) throws(PortFailure) {
    self.name = name
    self.loop = loop
    self.invalidationHandler = invalidationHandler
    channel = Channel(descriptor: try RemotePort.connect(to: name, timeout), limits: limits)
    source = GRunLoop.DescriptorSource(
      fileDescriptor: channel.descriptor, events: .readable, sendableHandler: { [weak self] _, _ in self?.pump() })
    channel.interestChanged = { [weak self] in self?.showInterest() }
    anchor = GRunLoop.Source(
      onCancelled: { [weak self] _, _, _ in self?.end() }, sendableHandler: { _ in })
    guard loop.add(source, forMode: .common), loop.add(anchor, forMode: .common) else { throw .invalid }
  }

  private static func connect(to name: PortName, _ timeout: Duration?) throws(PortFailure) -> CInt {
    let address = try name.address()
    let bytes = address.bytes
    let socket = gps_socket()
    if socket < 0 { throw .system(call: "socket", code: errno) }
    let limit = timeout.map { max(.zero, $0) }
    let nanoseconds = limit.map { (GRunLoop.Instant(nanoseconds: 0) + $0).nanoseconds } ?? -1
    var failure: PortFailure?
    var user: UInt32 = 0
    if gps_connect(socket, bytes, bytes.count, address.isAbstract, nanoseconds) != 0 {
      switch errno {
      case ENOENT, ECONNREFUSED: failure = .notFound(name.rawValue)
      case EAGAIN: failure = .timedOut
      case let code: failure = .system(call: "connect to port \"\(name)\"", code: code)
      }
    } else if gps_peer_user(socket, &user) != 0 || gps_set_non_blocking(socket) != 0 {
      failure = .system(call: "getsockopt of a port's socket", code: errno)
    } else if user != geteuid() {
      failure = .foreignUser(user)
    }
    guard let failure else { return socket }
    close(socket)
    throw failure
  }

  deinit {
    source?.invalidate()
    anchor?.invalidate()
    channel.finish()
  }

  /// Whether the port can be sent to. Once false it stays so.
  public var isValid: Bool { monitor.withLock { !hasEnded } }

  /// Lets go of the connection. Requests that wait fail with ``PortFailure/invalid``. From any thread; does nothing the
  /// second time. (`CFMessagePortInvalidate`)
  public func invalidate() { end() }

  // MARK: Messages without an answer

  /// Sends a message that wants no answer. If the other process does not read, the calling thread sleeps until it does or
  /// the time is up. (`CFMessagePortSendRequest` without a reply mode)
  ///
  /// - Parameters:
  ///   - message: What the port's handler is given. Its reply port must be nil.
  ///   - limit: When to give up. A date in the past tries once.
  /// - Throws: ``PortFailure/timedOut``, ``PortFailure/invalid``, ``PortFailure/notSendable(_:)``: then the message was
  ///   not sent and will not be.
  public func send(_ message: PortMessage, before limit: GRunLoop.Instant = .distantFuture) throws(PortFailure) {
    if !isValid { throw .invalid }
    let outcome = Outcome()
    let packet = try Packet(.message, message, sequence: 0, limits: channel.limits, from: outcome)
    _ = channel.send(packet)
    let limit = limit.monotonic
    while true {
      if let failure = outcome.value {
        if let failure { throw failure }
        return
      }
      if GRunLoop.Instant.hasPassed(limit), channel.withdraw(packet) { throw .timedOut }
      waitForSocket(limit)
      // Answers are taken meanwhile: a peer whose answers are not read does not read either.
      pump()
    }
  }

  private func waitForSocket(_ limit: Int64) {
    let left = limit == .max ? .max : max(0, limit - GRunLoop.Instant.now.nanoseconds)
    // Rounded up; at most a second, since another thread may have sent what is waited for.
    let milliseconds = CInt(min(left, 999_000_000) / 1_000_000 + 1)
    var entry = pollfd(fd: channel.descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
    poll(&entry, 1, milliseconds)
  }

  // MARK: Questions

  /// Asks, under a number that no other question of this port ever had.
  func ask(_ message: PortMessage, _ question: Question) throws(PortFailure) {
    let sequence = monitor.withLock {
      lastSequence += 1
      return lastSequence
    }
    let packet = try Packet(.request, message, sequence: sequence, limits: channel.limits, from: question)
    var isNews = false
    let problem: (any Error)? = monitor.withLock {
      if question.isCancelled { return CancellationError() }
      if hasEnded { return PortFailure.invalid }
      question.sequence = sequence
      question.packet = packet
      questions[sequence] = question
      if question.isAwaited {
        awaited += 1
        isNews = !takesAnswers
        takesAnswers = true
      }
      return nil
    }
    if let problem { return question.settle(.failure(problem)) }
    if isNews { channel.monitor.withLock { showInterest() } }
    _ = channel.send(packet)
  }

  /// Gives a question its answer, unless it has one or was given up.
  func settle(_ sequence: UInt64, _ result: Result<PortMessage, any Error>) {
    guard let (question, packet) = monitor.withLock({ take(sequence) }) else { return }
    withExtendedLifetime(packet) { question.settle(result) }
  }

  /// Under the monitor. The packet may hold the question, by what it calls: they are parted here.
  private func take(_ sequence: UInt64) -> (Question, Packet?)? {
    guard let question = questions.removeValue(forKey: sequence) else { return nil }
    if question.isAwaited { awaited -= 1 }
    defer { question.packet = nil }
    return (question, question.packet)
  }

  /// Gives a question up: its packet does not go out if it has not, and an answer that comes is dropped.
  func giveUp(_ question: Question, because failure: any Error) {
    let (sequence, packet) = monitor.withLock {
      question.isCancelled = true
      defer { question.packet = nil }
      return (question.sequence, question.packet)
    }
    if let packet { _ = channel.withdraw(packet) }
    settle(sequence, .failure(failure))
  }

  // MARK: What comes in

  /// Under the channel's monitor.
  private func showInterest() {
    var events: GRunLoop.DescriptorSource.Events = monitor.withLock { takesAnswers } ? .readable : .hungUp
    if channel.hasOutgoing { events.insert(.writable) }
    if shown == events { return }
    shown = events
    source.events = events
  }

  /// A thread is going to wait for an answer.
  func leaveAnswersToThreads() {
    let isNews = monitor.withLock {
      if !takesAnswers || awaited > 0 { return false }
      takesAnswers = false
      return true
    }
    if isNews { channel.monitor.withLock { showInterest() } }
  }

  /// Sends and takes all that can be now, or until what is expected has come. On any thread.
  func pump(until expectation: Expectation? = nil) {
    channel.flush()
    while expectation?.isFulfilled != true {
      switch channel.receive() {
      case .nothing: return
      case .ended: return end()
      case .malformed(let reason): return end("\(reason)")
      case .packet(let frame, let message):
        let isKnown = monitor.withLock { frame.sequence <= lastSequence }
        switch frame.kind {
        case .reply where isKnown: settle(frame.sequence, .success(message))
        case .noReply where isKnown: settle(frame.sequence, .failure(PortFailure.noReply))
        default: return end("it sent what was not asked for")
        }
      }
    }
  }

  private func end(_ reason: String) {
    diagnose("the peer that has the port \"\(name)\": \(reason); closed that connection")
    end()
  }

  private func end() {
    let (open, handler): ([(question: Question, packet: Packet?)], (@Sendable () -> Void)?) = monitor.withLock {
      if hasEnded { return ([], nil) }
      hasEnded = true
      defer { invalidationHandler = nil }
      return (questions.keys.sorted().compactMap { take($0) }, invalidationHandler)
    }
    source.invalidate()
    anchor.invalidate()
    channel.end()
    for (question, _) in open { question.settle(.failure(PortFailure.invalid)) }
    guard let handler else { return }
    if loop.isCurrent { handler() } else { loop.perform { handler() } }
  }
}

/// What became of a message that wants no answer.
private final class Outcome: PacketSender, @unchecked Sendable {
  // Invariant for @unchecked: guarded by the monitor.
  private let monitor = Monitor()
  private var stored: PortFailure??

  func packetIsDone(_ failure: PortFailure?) { monitor.withLock { stored = .some(failure) } }
  var value: PortFailure?? { monitor.withLock { stored } }
}
