import CGLib
import Foundation
import Glibc

/// A program that runs as a process, and what it says.
package final class ChildProgram {
  private var process = GPid()
  private var output: CInt = -1
  private var errors: CInt = -1
  private var isOver = false
  private var buffers: [CInt: [UInt8]] = [:]

  package init(_ path: String, _ arguments: [String]) throws {
    let vector = ([path] + arguments).map { UnsafePointer(strdup($0)) } + [nil]
    defer { vector.forEach { free(UnsafeMutableRawPointer(mutating: $0)) } }
    var error: UnsafeMutablePointer<GError>?
    // Dispatch's threads, on which tests run, block the signals, and a process begins with its maker's mask.
    var (none, mask) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    let isStarted = g_spawn_async_with_pipes_and_fds(
      nil, vector, nil, G_SPAWN_DO_NOT_REAP_CHILD, nil, nil, -1, -1, -1, nil, nil, 0, &process, nil, &output, &errors,
      &error)
    guard isStarted != 0 else {
      defer { g_error_free(error) }
      throw CannotStart(description: String(cString: error!.pointee.message))
    }
  }

  deinit {
    end()
    close(output)
    close(errors)
  }

  package struct CannotStart: Error, CustomStringConvertible { package let description: String }

  /// The next line of its output; nil at the end, or if none comes.
  package func line() -> String? { line(of: output) }

  /// The next line of its errors.
  package func complaint() -> String? { line(of: errors) }

  /// The first complaint that says so.
  package func complaint(with text: String) -> String? {
    while let line = complaint() { if line.contains(text) { return line } }
    return nil
  }

  private func line(of descriptor: CInt) -> String? {
    while true {
      if let end = buffers[descriptor]?.firstIndex(of: 10) {
        let line = String(decoding: buffers[descriptor]![..<end], as: UTF8.self)
        buffers[descriptor]!.removeFirst(end + 1)
        return line
      }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let ready = poll(&request, 1, 60_000)
      if ready < 0 && errno == EINTR { continue }
      guard ready > 0 else { return nil }
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 { return nil }
      buffers[descriptor, default: []] += bytes[..<count]
    }
  }

  /// Its number.
  package var number: pid_t { process }

  package func signal(_ signal: CInt) { kill(process, signal) }

  /// Ends it.
  package func end() {
    if isOver { return }
    kill(process, SIGKILL)
    _ = finish()
  }

  /// Waits for its end; its exit code, or minus the signal that ended it.
  package func finish() -> CInt {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    isOver = true
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }
}
