import CGio
import Foundation
import GLibRunLoop

/// The connection to the bus, which is made again when it was lost; and what the bus is to send over it. For the
/// centre's thread.
final class BusConnection {
  typealias Failure = GRunLoop.DistributedNotificationCenter.Failure

  var limits = GRunLoop.DistributedNotificationCenter.Limits()
  var onMessage: (Variant) -> Void = { _ in }
  private let address: String?
  private let loop: GRunLoop
  private var connection: OpaquePointer?
  private var signals: (closed: gulong, posted: guint) = (0, 0)
  /// How many observers each match rule is for.
  private var rules: [String: Int] = [:]
  private var retry: GRunLoop.Timer?
  private var pause = BusConnection.firstPause

  private static let firstPause = Duration.milliseconds(100)

  init(address: String?, loop: GRunLoop) {
    self.address = address
    self.loop = loop
  }

  // MARK: Rules

  func addRule(_ rule: String) {
    rules[rule, default: 0] += 1
    if rules[rule] == 1, connection != nil {
      register(rule)
    } else if connection == nil {
      reconnect()
    }
  }

  func removeRule(_ rule: String) {
    rules[rule]! -= 1
    guard rules[rule] == 0 else { return }
    rules[rule] = nil
    if rules.isEmpty { stopRetrying() }
    // Nobody waits for the answer.
    if let connection { call("RemoveMatch", rule, on: connection, waits: false) }
  }

  private func register(_ rule: String) {
    guard let connection, let problem = call("AddMatch", rule, on: connection, waits: true) else { return }
    diagnose("an observer of distributed notifications hears nothing: the bus refused \(rule): \(problem)")
  }

  /// What went wrong, if it did.
  @discardableResult
  private func call(_ method: String, _ argument: String, on connection: OpaquePointer, waits: Bool) -> String? {
    let bus = "org.freedesktop.DBus"
    let arguments = Variant.tuple([Variant(argument)])
    let (timeout, flags) = (CInt(limits.busTimeout.milliseconds), G_DBUS_CALL_FLAGS_NO_AUTO_START)
    if !waits {
      g_dbus_connection_call(
        connection, bus, "/org/freedesktop/DBus", bus, method, arguments.pointer, nil, flags, timeout, nil, nil, nil)
      return nil
    }
    var error: UnsafeMutablePointer<GError>?
    let answer = g_dbus_connection_call_sync(
      connection, bus, "/org/freedesktop/DBus", bus, method, arguments.pointer, nil, flags, timeout, nil, &error)
    if let answer { g_variant_unref(answer) }
    return error.map(text(of:))
  }

  // MARK: Sending

  func send(_ body: Variant, whenWritten: @escaping @Sendable (String?) -> Void) throws(Failure) {
    let message = g_dbus_message_new_signal(WireFormat.path, WireFormat.interface, WireFormat.member)!
    defer { g_object_unref(UnsafeMutableRawPointer(message)) }
    g_dbus_message_set_body(message, body.pointer)
    let size = Int(g_variant_get_size(body.pointer))
    if size > limits.messageSize { throw .tooLarge(size: size, limit: limits.messageSize) }
    // The signal that says so may be on its way.
    if let connection, g_dbus_connection_is_closed(connection) != 0 { lost("it was closed") }
    if connection == nil { try connect() }
    var error: UnsafeMutablePointer<GError>?
    if g_dbus_connection_send_message(connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, nil, &error) == 0 {
      throw .noBus(text(of: error))
    }
    let box = Unmanaged.passRetained(Callback(whenWritten)).toOpaque()
    g_dbus_connection_flush(
      connection, nil,
      { connection, result, box in
        var error: UnsafeMutablePointer<GError>?
        g_dbus_connection_flush_finish(unsafeBitCast(connection, to: OpaquePointer.self), result, &error)
        Unmanaged<Callback>.fromOpaque(box!).takeRetainedValue().body(error.map(text(of:)))
      }, box)
  }

  private final class Callback {
    let body: @Sendable (String?) -> Void

    init(_ body: @escaping @Sendable (String?) -> Void) { self.body = body }
  }

  // MARK: Connecting

  private func connect() throws(Failure) {
    var error: UnsafeMutablePointer<GError>?
    let cancellable = Cancellable()
    let limit = DispatchWorkItem { cancellable.cancel() }
    DispatchQueue.global().asyncAfter(deadline: .now() + limits.busTimeout.timeInterval, execute: limit)
    defer { limit.cancel() }
    guard
      let address = address.map({ g_strdup($0) })
        ?? g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, cancellable.pointer, &error)
    else { throw .noBus(text(of: error)) }
    defer { g_free(address) }
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    guard let connection = g_dbus_connection_new_for_address_sync(address, flags, nil, cancellable.pointer, &error)
    else {
      throw .noBus(text(of: error))
    }
    g_dbus_connection_set_exit_on_close(connection, 0)
    self.connection = connection
    subscribe(to: connection)
    stopRetrying()
    for rule in rules.keys { register(rule) }
  }

  private func subscribe(to connection: OpaquePointer) {
    // Both are taken back before this object goes.
    let this = Unmanaged.passUnretained(self).toOpaque()
    let closed: @convention(c) (OpaquePointer?, gboolean, UnsafeMutablePointer<GError>?, gpointer?) -> Void = {
      _, _, error, this in
      let reason = error.map { String(cString: $0.pointee.message) } ?? "it was closed"
      Unmanaged<BusConnection>.fromOpaque(this!).takeUnretainedValue().lost(reason)
    }
    signals.closed = g_signal_connect_data(
      UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(closed, to: GCallback.self), this, nil,
      GConnectFlags(rawValue: 0))
    // The rules are given to the bus by `register`: GLib's own could not name the second argument.
    signals.posted = g_dbus_connection_signal_subscribe(
      connection, nil, WireFormat.interface, WireFormat.member, WireFormat.path, nil,
      G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE,
      { _, _, _, _, _, body, this in
        Unmanaged<BusConnection>.fromOpaque(this!).takeUnretainedValue().received(Variant(body!))
      }, this, nil)
  }

  private func received(_ body: Variant) {
    let size = Int(g_variant_get_size(body.pointer))
    if size > limits.messageSize {
      return diagnose(
        "a distributed notification was dropped: \(Failure.tooLarge(size: size, limit: limits.messageSize))")
    }
    onMessage(body)
  }

  private func lost(_ reason: String) {
    close()
    if rules.isEmpty { return }
    diagnose("distributed notifications are not heard until the session bus is back: \(reason)")
    retryLater()
  }

  func close() {
    stopRetrying()
    guard let connection else { return }
    self.connection = nil
    g_signal_handler_disconnect(UnsafeMutableRawPointer(connection), signals.closed)
    g_dbus_connection_signal_unsubscribe(connection, signals.posted)
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// Somebody observes, and there is no connection.
  private func reconnect() {
    do { try connect() } catch {
      if retry == nil { diagnose("distributed notifications are not heard until there is a session bus: \(error)") }
      retryLater()
    }
  }

  /// The bus tells nobody that it is there.
  private func retryLater() {
    retry?.invalidate()
    let timer = GRunLoop.Timer(interval: pause) { [unowned self] _ in reconnect() }
    retry = timer
    loop.add(timer, forMode: .default)
    pause = min(pause * 2, limits.reconnectionPause)
  }

  private func stopRetrying() {
    retry?.invalidate()
    retry = nil
    pause = Self.firstPause
  }
}

/// What an error says; the error is freed.
private func text(of error: UnsafeMutablePointer<GError>?) -> String {
  defer { g_error_free(error) }
  return error.map { String(cString: $0.pointee.message) } ?? "no reason given"
}

/// A `GCancellable`, which GLib lets every thread cancel.
private final class Cancellable: @unchecked Sendable {
  let pointer = g_cancellable_new()!

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  func cancel() { g_cancellable_cancel(pointer) }
}
