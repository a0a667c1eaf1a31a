import GLibRunLoop
import Glibc

/// Performs work on the main loop as on any other, whoever drives.
@MainActor func performOnMainLoop() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)
  let target = Log(of: Int.self)

  loop.perform { log.append("second") }
  loop.perform(order: 1) { log.append("by order, last") }
  loop.perform(inModes: [.default], order: -1) { log.append("first") }
  loop.perform {
    loop.perform {
      log.append("in a later pass")
      // Queued only here: a start that takes long must not make it due before.
      let start = GRunLoop.Instant.now
      loop.perform(after: .milliseconds(30)) {
        expect(start.duration(to: .now) >= .milliseconds(30), "a delayed perform came too soon")
        expectEqual(
          log.entries, ["first", "second", "in the same pass", "by order, last", "in a later pass"], "before the delay")
        loop.run(mode: "private", before: .now)
        drive.quit()
      }
    }
  }
  loop.perform { log.append("in the same pass") }
  loop.perform(inModes: ["private"]) { log.append("in the private mode") }
  let token = loop.perform(inModes: [.common]) { fail("a cancelled perform ran") }
  token.cancel()
  loop.perform(target: target, name: "a") { fail("a perform that was cancelled by its target ran") }
  loop.perform(after: .zero, target: target, name: "b") { fail("a delayed perform that was cancelled ran") }
  loop.cancelPerforms(target: target)

  drive.run()
  expectEqual(log.entries.last, "in the private mode")
}

/// From other threads, while the main loop sleeps: each wakes it, and they run in the order queued.
@MainActor func performOnMainLoopFromOtherThread() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: Int.self)
  let other = OtherThread {
    let ran = Gate()
    for number in 0..<100 {
      if number % 2 == 0 { while !loop.isWaiting { sched_yield() } }
      loop.perform {
        expect(isFirstThread, "a perform ran on another thread")
        log.append(number)
        ran.open()
      }
      if number % 2 == 1 {
        ran.wait()
        ran.wait()
      }
    }
    loop.perform { drive.quit() }
  }
  drive.run()
  other.join()
  expectEqual(log.entries, Array(0..<100))
}
