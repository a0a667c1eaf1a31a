import GLibRunLoop
import Glibc

/// From here on the process may have no further thread and lock no memory.
private func allowNothing() {
  var nothing = rlimit(rlim_cur: 0, rlim_max: 0)
  // RLIMIT_MEMLOCK and RLIMIT_NPROC, whose macros Swift does not see.
  setrlimit(8, &nothing)
  setrlimit(6, &nothing)
  // The limit of threads does not hold for the superuser.
  if getuid() == 0 { setuid(65_534) }
}

/// A loop needs neither.
@MainActor func noThreadsNoLockedMemory() {
  allowNothing()
  let loop = GRunLoop.main
  let drive = MainDrive()
  let pipe = Pipe()
  let log = Log(of: String.self)
  let source = GRunLoop.Source { _ in
    log.append("source")
    pipe.writeByte()
  }
  let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { _, _ in
    log.append("descriptor")
    drive.quit()
  }
  loop.add(source, forMode: .common)
  loop.add(input, forMode: .common)
  loop.perform(inModes: [.common]) {
    log.append("perform")
    loop.add(
      GRunLoop.Timer(interval: .milliseconds(1)) { _ in
        log.append("timer")
        source.signal()
      }, forMode: .common)
  }
  drive.run()
  expectEqual(log.entries, ["perform", "timer", "source", "descriptor"], "what ran")
  loop.perform(inModes: ["private"]) { log.append("private") }
  loop.run(mode: "private", for: .zero)
  expectEqual(log.entries.last, "private", "what ran in a private mode")
}

/// GLib waits for signals on a thread of its own, and ends the process if it cannot have one.
@MainActor func signalSourceWithoutThread() {
  allowNothing()
  GRunLoop.main.add(GRunLoop.SignalSource(signal: SIGUSR1) { _ in }, forMode: .common)
}
