import CGio
import Foundation
import GLibRunLoop

extension GRunLoop {
  /// Notifications between the processes of one user session, over the D-Bus session bus.
  /// (`NSDistributedNotificationCenter`)
  ///
  /// ```swift
  /// let center = GRunLoop.DistributedNotificationCenter.default
  /// let observation = try center.addObserver(forName: Notification.Name("org.example.Saved"), object: path) {
  ///   print("saved by", $0.userInfo?["by"] ?? "someone")
  /// }
  /// try center.post(name: Notification.Name("org.example.Saved"), object: path, userInfo: ["by": "me"])
  /// ```
  ///
  /// A process hears its own posts, too. An observer is called on the loop that it was added for, in that loop's common
  /// modes, in the order in which each sender posted; while it is there, those modes have something to wait for. The bus
  /// filters by name and object, so that a process is not woken for what it does not observe.
  ///
  /// All calls can be made from every thread. They wait for the bus, ``Limits/busTimeout`` at most: when
  /// ``addObserver(forName:object:suspensionBehavior:using:)-(_,_,_,(Notification)->Void)`` returns the bus knows of the observer, and when
  /// ``post(name:object:userInfo:deliverImmediately:)`` returns the bus has the message. If the bus goes, observers stay,
  /// and hear again when it is back; one that is added while there is no bus hears as soon as there is one. Each of that
  /// is said in one line (a GLib warning in the domain `GLibRunLoop`). What the format is, so that other programs can
  /// take part: <doc:DistributedNotifications>.
  public final class DistributedNotificationCenter: Sendable {
    private let link: BusLink

    /// The centre of the session bus. (`defaultCenter`)
    public static let `default` = DistributedNotificationCenter()

    /// A centre of its own, with its own connection to a bus.
    ///
    /// - Parameter busAddress: A D-Bus address, such as `unix:path=/run/user/1000/bus`; nil is the session bus, as
    ///   `DBUS_SESSION_BUS_ADDRESS` names it.
    public init(busAddress: String? = nil) { link = BusLink(address: busAddress) }

    deinit { link.shutDown() }

    // MARK: Posting

    /// Posts to all processes of the session that observe it, this one included.
    /// (`postNotificationName:object:userInfo:options:`)
    ///
    /// - Parameters:
    ///   - name: 1 to 255 bytes.
    ///   - object: Whom it is about, as text: 1 to 255 bytes; nil for nobody.
    ///   - userInfo: A property list: `Bool`, integers, `Double`, `Float`, `String`, `Data`, `Date`, and arrays and
    ///     dictionaries of these. Values come out with the types that they went in with.
    ///   - deliverImmediately: Also to observers whose centre is suspended.
    /// - Throws: ``Failure``. Then nobody gets it; but after ``Failure/timedOut`` the bus may take it yet.
    public func post(
      name: Notification.Name, object: String? = nil, userInfo: [AnyHashable: Any]? = nil,
      deliverImmediately: Bool = false
    ) throws(Failure) {
      try Self.check(name.rawValue)
      if let object { try Self.check(object) }
      let encoded: Variant
      do { encoded = try PropertyList.encode(userInfo ?? [:]) } catch { throw .notPropertyList(error.description) }
      let flags = Variant(g_variant_new_uint32(deliverImmediately ? WireFormat.immediately : 0))
      let body = Variant.tuple([Variant(name.rawValue), Variant(object ?? ""), encoded, flags])
      try link.send(body)
    }

    private static func check(_ name: String) throws(Failure) {
      if !WireFormat.isName(name) { throw .invalidName(name) }
    }

    // MARK: Observing

    /// Adds an observer that is called on this thread's loop.
    ///
    /// - Parameters:
    ///   - name: What to observe; nil is all names.
    ///   - object: Whom it is to be about; nil is anybody and nobody.
    ///   - suspensionBehavior: What becomes of notifications for it while the centre is suspended.
    ///   - handler: Called with a notification whose object is a `String`, or nil.
    /// - Returns: What ``removeObserver(_:)`` takes.
    /// - Throws: ``Failure``, if it was not added. A bus that cannot be reached is no reason.
    @discardableResult
    public func addObserver(
      forName name: Notification.Name?, object: String? = nil, suspensionBehavior: SuspensionBehavior = .coalesce,
      using handler: @escaping (Notification) -> Void
    ) throws(Failure) -> Observation {
      try add(Observation(name, object, suspensionBehavior, .current, handler))
    }

    /// Adds an observer of the main actor's, called on ``/GLibRunLoop/GRunLoop/main``; otherwise as the one above.
    @discardableResult
    public func addObserver(
      forName name: Notification.Name?, object: String? = nil, suspensionBehavior: SuspensionBehavior = .coalesce,
      using handler: @escaping @MainActor (Notification) -> Void
    ) throws(Failure) -> Observation {
      let plain = { (notification: Notification) in
        // Made for this one call, on the main thread already.
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { handler(notification) }
      }
      return try add(Observation(name, object, suspensionBehavior, .main, plain))
    }

    /// Adds an observer that is called on a chosen loop; otherwise as the first one.
    @discardableResult
    public func addObserver(
      forName name: Notification.Name?, object: String? = nil, suspensionBehavior: SuspensionBehavior = .coalesce,
      on loop: GRunLoop, using handler: @escaping @Sendable (Notification) -> Void
    ) throws(Failure) -> Observation {
      try add(Observation(name, object, suspensionBehavior, loop, handler))
    }

    private func add(_ observation: Observation) throws(Failure) -> Observation {
      if let name = observation.name { try Self.check(name.rawValue) }
      if let object = observation.object { try Self.check(object) }
      if observation.matchRule.utf8.count > WireFormat.longestRule {
        throw .invalidName((observation.name?.rawValue ?? "") + (observation.object ?? ""))
      }
      try link.add(observation)
      return observation
    }

    /// Takes an observer out. From its loop's own thread it is not called any more; from another one a call that has
    /// begun goes on. Does nothing the second time.
    public func removeObserver(_ observation: Observation) { link.remove(observation) }

    // MARK: Suspending

    /// Whether delivery is suspended; see ``SuspensionBehavior``. Setting it to false delivers what was kept.
    /// (`NSDistributedNotificationCenter.suspended`)
    public var suspended: Bool {
      get { link.read(\.isSuspended, or: false) }
      set { link.change { $0.setSuspended(newValue) } }
    }

    /// What the centre puts up with.
    public var limits: Limits {
      get { link.read(\.limits, or: Limits()) }
      set { link.change { $0.limits = newValue } }
    }
  }
}
