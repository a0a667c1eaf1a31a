import CGLib
import Glibc

/// The program PortPeer, run as a process.
final class PeerProcess: @unchecked Sendable {
  // Used by one thread.
  private var pid: GPid = 0
  private var input: CInt = -1
  private var output: CInt = -1

  /// - Parameters:
  ///   - arguments: What to do, and the name.
  ///   - refusal: A system call that the kernel refuses it, and the error.
  init(_ arguments: String..., refused refusal: (call: String, error: String)? = nil) {
    let launcher = refusal.map { [PeerProcess.path("Refuse"), $0.call, $0.error] } ?? []
    var vector = (launcher + [PeerProcess.path("PortPeer")] + arguments).map { strdup($0) } + [nil]
    defer { vector.forEach { free($0) } }
    var error: UnsafeMutablePointer<GError>?
    let done = g_spawn_async_with_pipes(
      nil, &vector, nil, G_SPAWN_DO_NOT_REAP_CHILD, nil, nil, &pid, &input, &output, nil, &error)
    precondition(done != 0, "PortPeer did not start")
  }

  deinit {
    kill()
    close(input)
    close(output)
  }

  /// The next line that it says; empty at its end.
  func line() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != 10 { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  func kill() {
    if pid == 0 { return }
    Glibc.kill(pid, SIGKILL)
    wait()
  }

  func wait() {
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    pid = 0
  }

  private static func path(_ program: String) -> String { directory + "/" + program }

  /// The build puts the programs beside the test bundle, which on Linux is the running program.
  private static let directory: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
  }()
}
