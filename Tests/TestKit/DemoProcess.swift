import CGLib
import Glibc
import Testing

/// A demo program that runs as a process, so that a test can talk with it.
package final class DemoProcess {
  private static let patience: CInt = 30_000

  private let process: GPid
  private let input: CInt
  private let output: CInt
  private let errors: CInt
  /// Where the program writes if it is on a terminal, which stays open.
  private let slave: CInt?
  private var isFinished = false
  /// What it wrote so far.
  /// Decoded as a whole: a character may come in two parts.
  private var bytes: [UInt8] = []
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// - Parameters:
  ///   - file: The name of a file, as one more argument. It need not be text.
  ///   - terminal: If given, the program's standard input and output; else they are pipes.
  ///   - refusing: A system call that the kernel refuses the program.
  package init(
    _ program: String, _ arguments: [String], file: [UInt8]? = nil, on terminal: PseudoTerminal? = nil,
    refusing call: String? = nil
  ) throws {
    // With a terminal, the program must lead a session of its own for the terminal to be its controlling one.
    var prefix = terminal == nil ? [] : ["/usr/bin/setsid", "--ctty"]
    if let call { prefix += [Self.directory + "/Refuse", call, "EPERM"] }
    let words = (prefix + [Self.directory + "/" + program] + arguments).map { Array($0.utf8) }
    let vector =
      (words + (file.map { [$0] } ?? [])).map { word in
        (word + [0]).withUnsafeBytes { UnsafePointer(strdup($0.baseAddress!.assumingMemoryBound(to: CChar.self))) }
      } + [nil]
    defer { vector.forEach { free(UnsafeMutableRawPointer(mutating: $0)) } }
    // The test runner may forbid colours, which are part of what a terminal is to show.
    let environment = g_environ_unsetenv(g_get_environ(), "NO_COLOR")
    defer { g_strfreev(environment) }
    let variables = UnsafeRawPointer(environment!).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    var (process, input, output, errors) = (GPid(), CInt(-1), CInt(-1), CInt(-1))
    var error: UnsafeMutablePointer<GError>?
    let isPiped = terminal == nil
    let slave = terminal?.slave ?? -1
    // Dispatch's threads, on which tests run, block the signals, and a process begins with its maker's mask.
    var (none, mask) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    let isStarted = withUnsafeMutablePointer(to: &input) { input in
      withUnsafeMutablePointer(to: &output) { output in
        g_spawn_async_with_pipes_and_fds(
          nil, vector, variables, G_SPAWN_DO_NOT_REAP_CHILD, nil, nil, slave, slave, -1, nil, nil, 0, &process,
          isPiped ? input : nil, isPiped ? output : nil, &errors, &error)
      }
    }
    guard isStarted != 0 else {
      defer { g_error_free(error) }
      throw CannotStart(description: String(cString: error!.pointee.message))
    }
    self.process = process
    self.input = terminal?.master ?? input
    self.output = terminal?.master ?? output
    self.errors = errors
    self.slave = terminal?.slave
  }

  deinit {
    if !isFinished {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    for descriptor in Set([input, output, errors]) { close(descriptor) }
  }

  package func type(_ text: String) { _ = text.withCString { Glibc.write(input, $0, strlen($0)) } }

  package func signal(_ signal: CInt) { kill(process, signal) }

  /// Reads until the program has said something.
  package func wait(for wanted: String, sourceLocation: SourceLocation = #_sourceLocation) {
    // A status that is redrawn is always news: the patience is for what is waited for.
    let limit = ContinuousClock.now + .milliseconds(Int(Self.patience))
    while !text.contains(wanted) {
      guard ContinuousClock.now < limit, let more = Self.read(output) else {
        Issue.record(
          "the program did not say \"\(wanted)\", but:\n\(text.suffix(2000).debugDescription)",
          sourceLocation: sourceLocation)
        return
      }
      bytes += more
    }
  }

  /// The next wait is for news.
  package func forget() { bytes = [] }

  /// Reads the rest, and waits for the end. Returns the exit code, or nil if a signal ended it.
  package func finish() -> (exitCode: CInt?, output: String, errors: String) {
    var complaints: [UInt8] = []
    if slave == nil { while let more = Self.read(output) { bytes += more } }
    while let more = Self.read(errors) { complaints += more }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    isFinished = true
    if let slave {
      // The terminal stays open, and hands on what was written to it when the kernel comes to it.
      let end = Array("\u{4}the program has ended\u{4}".utf8)
      _ = Glibc.write(slave, end, end.count)
      while !bytes.suffix(end.count).elementsEqual(end), let more = Self.read(output) { bytes += more }
      if bytes.suffix(end.count).elementsEqual(end) { bytes.removeLast(end.count) }
    }
    return (
      status & 0x7f == 0 ? status >> 8 & 0xff : nil, text, String(decoding: complaints, as: UTF8.self)
    )
  }

  /// Nil at the end, or if nothing comes.
  private static func read(_ descriptor: CInt) -> ArraySlice<UInt8>? {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard poll(&request, 1, patience) > 0 else { return nil }
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? buffer[..<count] : nil
  }

  private struct CannotStart: Error, CustomStringConvertible {
    let description: String
  }

  /// The build puts the programs beside the test bundle, which on Linux is the running program.
  private static let directory: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
  }()
}
