// A program that depends on the package as its users do, with Foundation beside it: one thing from each library, and all
// of them on one main loop.
import CGio
import Foundation
import GLibRunLoop
import RunLoopFoundation
import RunLoopGIO
import RunLoopNotifications
import RunLoopPorts

@main struct Consumer {
  @MainActor static func main() async throws {
    GRunLoop.hostAsyncMain()
    GRunLoop.serveFoundation()
    let log = Log()

    // Timers of both kinds, by Foundation's dates.
    let soon = Date(timeIntervalSinceNow: 0.01)
    GRunLoop.main.add(
      GRunLoop.Timer(fire: soon, interval: 0, repeats: false) { _ in log.note("timer") }, forMode: .common)
    RunLoop.main.add(
      Timer(fire: soon, interval: 0, repeats: false) { _ in
        MainActor.assumeIsolated { log.note("Foundation's timer") }
      }, forMode: .common)

    // A port of each module: Foundation has one of that name, too.
    let port = RunLoopPorts.Port { message in log.note("message \(message.id)") }
    GRunLoop.main.add(port, forMode: .common)
    try port.send(PortMessage(id: 100))

    // Alike, so that one is posted.
    let name = Notification.Name("Consumer")
    let observation = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
      MainActor.assumeIsolated { log.note("notification") }
    }
    for _ in 0..<3 {
      GRunLoop.NotificationQueue.default.enqueue(Notification(name: name), postingStyle: .asap, forModes: [.common])
    }

    // An error of GIO's, awaited.
    do {
      log.note("GIO says \(try await length(of: "/no/such/file"))")
    } catch let error as GLibError where error.matches(G_IO_ERROR_NOT_FOUND) {
      log.note("GIO says no")
    }

    let answer = try await GRunLoop.main.performAndWait { 42 }
    log.note("answer \(answer)")
    try await Task.sleep(for: .milliseconds(50))
    NotificationCenter.default.removeObserver(observation)
    port.invalidate()

    print(log.lines.joined(separator: "\n"))
    let expected = ["timer", "Foundation's timer", "message 100", "notification", "GIO says no", "answer 42"]
    if log.lines.sorted() != expected.sorted() {
      print("expected, once each: \(expected)")
      exit(1)
    }
  }
}

/// The size of a file, asked of GIO.
@MainActor func length(of path: String) async throws -> Int {
  let file = g_file_new_for_path(path)
  defer { g_object_unref(gpointer(file)) }
  let info = try await withGAsyncResult { cancellable, callback, data in
    g_file_query_info_async(file, "standard::size", G_FILE_QUERY_INFO_NONE, 0, cancellable, callback, data)
  } finish: { result, error in
    g_file_query_info_finish(file, result, error)
  }
  defer { g_object_unref(gpointer(info)) }
  return g_file_info_get_size(info)
}

/// What happened.
@MainActor final class Log {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }
}
