import Glibc

/// Starts a shell, which waits for a byte from the gate first, if there is one: its end comes when the test wants it.
func shell(_ command: String, behind gate: Pipe? = nil) -> pid_t {
  let command = gate.map { "head -c 1 < /dev/fd/\($0.readEnd) > /dev/null; \(command)" } ?? command
  var pid = pid_t()
  let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
  defer { for argument in arguments { free(argument) } }
  let failed = posix_spawn(&pid, "/bin/sh", nil, nil, arguments, nil)
  precondition(failed == 0, "no shell: \(failed)")
  return pid
}
