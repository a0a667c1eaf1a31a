import CGio
import Foundation
import GLibRunLoop

/// What a centre knows: its observers, what it keeps for them while it is suspended, its connection. For its own thread.
final class BusState: @unchecked Sendable {
  // Invariant for @unchecked: touched on the centre's thread only.

  typealias Failure = GRunLoop.DistributedNotificationCenter.Failure
  typealias Observation = GRunLoop.DistributedNotificationCenter.Observation

  var limits = GRunLoop.DistributedNotificationCenter.Limits() {
    didSet { connection.limits = limits }
  }
  private(set) var isSuspended = false
  private let loop: GRunLoop
  private let connection: BusConnection
  private var observations: [Observation] = []
  private var mailboxes: [GRunLoop: Mailbox] = [:]
  /// Kept while suspended, as they came.
  private var held: [Delivery] = []
  private var hasSaidOverflow = false

  init(address: String?, loop: GRunLoop) {
    self.loop = loop
    connection = BusConnection(address: address, loop: loop)
    connection.onMessage = { [unowned self] in received($0) }
  }

  func close() {
    connection.close()
    for observation in observations { observation.end() }
    observations = []
    held = []
    for mailbox in mailboxes.values { mailbox.close() }
    mailboxes = [:]
  }

  // MARK: Observers

  func add(_ observation: Observation) throws(Failure) {
    if mailboxes[observation.loop] == nil {
      // The loop's end comes on its thread, with no time to wait.
      let mailbox = Mailbox(of: observation.loop) { [weak self, loop] mailbox in
        loop.perform { self?.closed(mailbox) }
      }
      guard let mailbox else { throw .unusable("the observer's run loop has ended") }
      mailboxes[observation.loop] = mailbox
    }
    observations.append(observation)
    connection.addRule(observation.matchRule)
  }

  func remove(_ observation: Observation) {
    guard let index = observations.firstIndex(where: { $0 === observation }) else { return }
    observations.remove(at: index)
    held.removeAll { $0.observation === observation }
    connection.removeRule(observation.matchRule)
    observation.end()
    if !observations.contains(where: { $0.loop == observation.loop }) {
      mailboxes.removeValue(forKey: observation.loop)?.close()
    }
  }

  /// Its box is closed. If that was not done here, the loop has ended.
  private func closed(_ mailbox: Mailbox) {
    guard mailboxes[mailbox.loop] === mailbox else { return }
    for observation in observations where observation.loop == mailbox.loop { remove(observation) }
  }

  // MARK: Delivery

  func setSuspended(_ suspended: Bool) {
    isSuspended = suspended
    if !suspended { deliverHeld() }
  }

  private func received(_ body: Variant) {
    guard body.type == WireFormat.signature else {
      return diagnose(
        "a distributed notification of the form \(body.type) was dropped: it has to be \(WireFormat.signature)")
    }
    let parts = body.children
    let (name, object, flags) = (parts[0].text, parts[1].text, g_variant_get_uint32(parts[3].pointer))
    let message: Message
    do {
      message = Message(name: name, object: object.isEmpty ? nil : object, userInfo: try PropertyList.decode(parts[2]))
    } catch {
      return diagnose("distributed notification \(name) was dropped: its user info has \(error.description)")
    }
    for observation in observations where observation.matches(message) {
      route(Delivery(observation: observation, message: message), isImmediate: flags & WireFormat.immediately != 0)
    }
  }

  private func route(_ delivery: Delivery, isImmediate: Bool) {
    if !isSuspended { return deliver(delivery) }
    let behavior = delivery.observation.suspensionBehavior
    if isImmediate || behavior == .deliverImmediately {
      deliverHeld()
      return deliver(delivery)
    }
    if behavior == .drop { return }
    if behavior == .coalesce {
      held.removeAll {
        $0.observation === delivery.observation && $0.message.name == delivery.message.name
          && $0.message.object == delivery.message.object
      }
    }
    held.append(delivery)
    if held.count > max(1, limits.held) {
      held.removeFirst()
      sayOverflow("\(limits.held) distributed notifications are kept by a suspended centre", "held")
    }
  }

  private func deliverHeld() {
    let deliveries = held
    held = []
    for delivery in deliveries { deliver(delivery) }
  }

  private func deliver(_ delivery: Delivery) {
    if mailboxes[delivery.observation.loop]?.put(delivery, limit: limits.queued) == true {
      sayOverflow("\(limits.queued) distributed notifications wait for a run loop that does not come to them", "queued")
    }
  }

  /// Once; the flood is bad enough.
  private func sayOverflow(_ situation: String, _ limit: String) {
    if hasSaidOverflow { return }
    hasSaidOverflow = true
    diagnose("more than \(situation): the oldest are dropped; see limits.\(limit)")
  }

  func send(_ body: Variant, whenWritten: @escaping @Sendable (String?) -> Void) throws(Failure) {
    try connection.send(body, whenWritten: whenWritten)
  }
}
