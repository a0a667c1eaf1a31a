import CGio
import GLibRunLoop
import Glibc
import HostKit

/// A server that is heard in the mode "server" only, and so is all that its call-backs start.
@MainActor final class Server {
  private let service = g_socket_service_new()!
  private let context = GRunLoop.ForeignContext()
  private(set) var port: guint16 = 0
  /// What was asked, and in which mode.
  private(set) var questions: [(text: String, mode: GRunLoop.Mode?)] = []

  init() {
    let incoming: @convention(c) (gpointer, UnsafeMutablePointer<GSocketConnection>, gpointer?, gpointer) -> gboolean =
      {
        _, connection, _, server in
        nonisolated(unsafe) let connection = connection
        MainActor.assumeIsolated { Unmanaged<Server>.fromOpaque(server).takeUnretainedValue().accept(connection) }
        return 1
      }
    g_signal_connect_data(
      service, "incoming", unsafeBitCast(incoming, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque(), nil,
      GConnectFlags(rawValue: 0))
    // The listener accepts where it is started; each acceptance starts the next.
    context.asThreadDefault { port = g_socket_listener_add_any_inet_port(service.asListener, nil, nil) }
    GRunLoop.main.add(context, forMode: "server")
    check(port != 0, "no port to listen on")
  }

  func close() {
    g_socket_listener_close(service.asListener)
    context.invalidate()
    g_object_unref(service)
  }

  /// Reads asynchronously: that completes in the same mode.
  private func accept(_ connection: UnsafeMutablePointer<GSocketConnection>) {
    let input = g_io_stream_get_input_stream(connection.asStream)
    let exchange = Exchange(server: self, connection: connection)
    g_input_stream_read_async(
      input, exchange.buffer.baseAddress, gsize(exchange.buffer.count), G_PRIORITY_DEFAULT, nil,
      { input, result, exchange in
        let exchange = Unmanaged<Exchange>.fromOpaque(exchange!).takeRetainedValue()
        let count = g_input_stream_read_finish(input!.asInput, result, nil)
        MainActor.assumeIsolated { exchange.answer(count) }
      }, Unmanaged.passRetained(exchange).toOpaque())
  }

  fileprivate func note(_ text: String) { questions.append((text, GRunLoop.main.currentMode)) }
}

@MainActor private final class Exchange {
  private let server: Server
  private let connection: UnsafeMutablePointer<GSocketConnection>
  nonisolated(unsafe) let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)

  init(server: Server, connection: UnsafeMutablePointer<GSocketConnection>) {
    self.server = server
    self.connection = connection
    g_object_ref(connection)
  }

  deinit { buffer.deallocate() }

  func answer(_ count: gssize) {
    check(count > 0, "a question was not read")
    server.note(String(decoding: buffer.prefix(count), as: UTF8.self))
    let output = g_io_stream_get_output_stream(connection.asStream)
    check(g_output_stream_write_all(output, buffer.baseAddress, gsize(count), nil, nil, nil) != 0, "no answer was sent")
    g_io_stream_close(connection.asStream, nil, nil)
    g_object_unref(connection)
  }
}

/// Asks a question on a blocking socket, on a thread of its own.
private func ask(_ question: String, port: guint16, asked: @escaping @Sendable () -> Void) async -> String {
  await withCheckedContinuation { continuation in
    let thread = Thread {
      let client = g_socket_client_new()!
      defer { g_object_unref(client) }
      guard let connection = g_socket_client_connect_to_host(client, "127.0.0.1", port, nil, nil) else {
        return continuation.resume(returning: "no connection")
      }
      defer { g_object_unref(connection) }
      let output = g_io_stream_get_output_stream(connection.asStream)
      g_output_stream_write_all(output, question, gsize(question.utf8.count), nil, nil, nil)
      asked()
      var buffer = [UInt8](repeating: 0, count: 100)
      var count: gsize = 0
      let input = g_io_stream_get_input_stream(connection.asStream)
      g_input_stream_read_all(input, &buffer, gsize(buffer.count), &count, nil, nil)
      continuation.resume(returning: String(decoding: buffer.prefix(Int(count)), as: UTF8.self))
    }
    thread.start()
  }
}

@MainActor func checkSocketService(_ drive: Drive) {
  let server = Server()
  let count = 5
  let asked = Countdown(count)
  let answered = Countdown(count)
  let port = server.port
  // All have asked, and in the default mode nobody answers.
  drive.run(mode: .default) { quit in
    asked.whenZero(quit)
    for number in 1...count {
      Task.detached {
        let question = "question \(number)"
        let answer = await ask(question, port: port) { asked.decrement() }
        check(answer == question, "to \"\(question)\" the answer was \"\(answer)\"")
        answered.decrement()
      }
    }
  }
  drive.run(mode: .modalPanel) { quit in
    let pause = GRunLoop.Timer(interval: .milliseconds(50)) { _ in quit() }
    GRunLoop.main.add(pause, forMode: .modalPanel)
  }
  check(server.questions.isEmpty, "\(server.questions.count) questions were heard outside the server's mode")
  drive.run(mode: "server") { quit in answered.whenZero(quit) }
  check(
    server.questions.map(\.text).sorted() == (1...count).map { "question \($0)" }
      && server.questions.allSatisfy { $0.mode == "server" }, "what was heard: \(server.questions)")
  server.close()
  print("GSocketService, \(drive) drives: \(count) questions held in other modes, all answered in the server's")
}
