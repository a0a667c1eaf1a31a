import Glibc

// Runs one scenario on the process's first thread: `MainThreadScenarios NAME [DRIVER]`. Exits 0 if all that the
// scenario expects holds, else prints what does not and exits 1.

// A scenario that hangs is ended by the kernel, whatever state it is in. The mask is that of the thread that started us.
var noSignals = sigset_t()
sigemptyset(&noSignals)
sigprocmask(SIG_SETMASK, &noSignals, nil)
alarm(600)
_ = firstThread

guard CommandLine.arguments.count > 1, let scenario = scenarios[CommandLine.arguments[1]] else {
  print("usage: MainThreadScenarios NAME [DRIVER], where NAME is one of")
  for name in scenarios.keys.sorted() { print("  \(name)") }
  exit(2)
}
do {
  try scenario()
} catch {
  fail("the scenario threw \(error)")
}
exit(Failures.exitCode)
