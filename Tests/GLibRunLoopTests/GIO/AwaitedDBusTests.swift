import CGio
import GLibRunLoop
import RunLoopGIO
import Testing

@Suite struct AwaitedDBusTests {
  @Test("C7 calls over D-Bus are awaited, with their answer or their error", arguments: Driver.allCases)
  func calls(_ driver: Driver) async throws {
    let bus = try PrivateBus()
    let address = bus.address
    try await onDrivenActor(driver) { actor in
      let connection = try await Self.connect(to: address)
      defer { g_object_unref(connection) }
      let answer = try await Self.call("GetNameOwner", g_variant_new_string("org.freedesktop.DBus"), on: connection)
      #expect(answer == "('org.freedesktop.DBus',)")
      #expect(actor.loop.isCurrent)

      // Not with #expect(throws:), whose closure is on no actor, and so on no loop.
      var error: GLibError?
      do {
        _ = try await Self.call("GetNameOwner", g_variant_new_string("there.is.none"), on: connection)
      } catch let caught as GLibError {
        error = caught
      }
      #expect(error?.domain == "g-dbus-error-quark")
      #expect(error?.matches(g_dbus_error_quark(), code: CInt(G_DBUS_ERROR_NAME_HAS_NO_OWNER.rawValue)) == true)
      #expect(error?.message.contains("org.freedesktop.DBus.Error.NameHasNoOwner") == true)
    }
  }

  private static func connect(
    to address: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(GLibError) -> UnsafeMutableRawPointer {
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let connection = try await withGAsyncResult { cancellable, callback, data in
      g_dbus_connection_new_for_address(address, flags, nil, cancellable, callback, data)
    } finish: { result, error in
      g_dbus_connection_new_for_address_finish(result, error)
    }
    return UnsafeMutableRawPointer(connection!)
  }

  /// Calls the bus itself.
  private static func call(
    _ method: String, _ argument: OpaquePointer?, on connection: UnsafeMutableRawPointer,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(GLibError) -> String {
    let connection = OpaquePointer(connection)
    var arguments = [argument]
    let tuple = g_variant_new_tuple(&arguments, 1)
    let answer = try await withGAsyncResult { cancellable, callback, data in
      g_dbus_connection_call(
        connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, tuple, nil,
        G_DBUS_CALL_FLAGS_NONE, -1, cancellable, callback, data)
    } finish: { result, error in
      g_dbus_connection_call_finish(connection, result, error)
    }
    defer { g_variant_unref(answer) }
    let text = g_variant_print(answer, 0)
    defer { g_free(text) }
    return String(cString: text!)
  }
}

/// A message bus of the test's own, which no other process knows of.
final class PrivateBus {
  let address: String
  private let process: OpaquePointer

  init() throws {
    process = startProcess(["dbus-daemon", "--session", "--nofork", "--print-address=1"])
    let output = UnsafeMutableRawPointer(g_subprocess_get_stdout_pipe(process)!)
    let lines = g_data_input_stream_new(output.assumingMemoryBound(to: GInputStream.self))
    defer { g_object_unref(lines) }
    var error: UnsafeMutablePointer<GError>?
    guard let line = g_data_input_stream_read_line(lines, nil, nil, &error) else {
      throw error.map { GLibError(taking: $0) } ?? NoBus()
    }
    defer { g_free(line) }
    address = String(cString: line)
  }

  deinit {
    g_subprocess_force_exit(process)
    g_subprocess_wait(process, nil, nil)
    g_object_unref(gpointer(process))
  }

  private struct NoBus: Error {}
}
