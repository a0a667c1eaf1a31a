import CGLib
import GLibRunLoop
import Glibc

/// The process is stopped for a while, as job control does, and goes on: what came meanwhile is there, and a timer's
/// missed dates are one call.
@MainActor func stoppedAndContinued() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let step = Duration.milliseconds(5)
  let dates = Log(of: GRunLoop.Instant.self)
  let performed = Log(of: Int.self)
  let bytes = Log(of: Int.self)
  let inputs = Pipe()
  let done = Log(of: Bool.self)

  let timer = GRunLoop.Timer(interval: step, repeats: true) { timer in
    expect(.now >= timer.fireDate, "a call was early")
    dates.append(timer.fireDate)
  }
  loop.add(timer, forMode: .default)
  let input = GRunLoop.DescriptorSource(fileDescriptor: inputs.readEnd, events: .readable) { input, _ in
    inputs.awaitByte()
    bytes.append(1)
  }
  loop.add(input, forMode: .default)
  // Posts all the time, also right before the stop and right after.
  let poster = OtherThread {
    var number = 0
    while done.count == 0 {
      let posted = number
      loop.perform { performed.append(posted) }
      inputs.writeByte()
      number += 1
      usleep(1000)
    }
    loop.perform(inModes: [.common]) { [number] in
      expectEqual(performed.entries, Array(0..<number), "the performs")
      drive.quit()
    }
  }
  let watcher = OtherThread {
    while dates.count < 10 { sched_yield() }
    stopAndContinue()
    let now = dates.count
    while dates.count < now + 10 { sched_yield() }
    done.append(true)
  }
  drive.run()
  watcher.join()
  poster.join()
  // Bytes that were written last may still wait.
  loop.run(until: .distantPast)
  for _ in bytes.count..<performed.count { loop.run(until: .distantPast) }
  expectEqual(bytes.count, performed.count, "the bytes")
  var skipped = 0
  for (date, next) in zip(dates.entries, dates.entries.dropFirst()) {
    let (seconds, attoseconds) = (next - date).components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    expect(nanoseconds > 0 && nanoseconds % 5_000_000 == 0, "the timer lost its phase: \(next - date)")
    skipped += Int(nanoseconds / 5_000_000) - 1
  }
  // 300 ms are 60 dates.
  expect(skipped >= 58, "missed dates came one by one: \(skipped)")
}

/// Somebody else must send the second signal.
private func stopAndContinue() {
  let pid = getpid()
  let command = "kill -STOP \(pid); sleep 0.3; kill -CONT \(pid)"
  var status: CInt = 0
  var arguments = ["/bin/sh", "-c", command].map { strdup($0 as String) } + [nil]
  defer { arguments.forEach { free($0) } }
  g_spawn_sync(nil, &arguments, nil, G_SPAWN_DEFAULT, nil, nil, nil, nil, &status, nil)
  expectEqual(status, 0, "the shell's status")
}
