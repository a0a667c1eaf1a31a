import GLibRunLoop
import Glibc

/// Several children share the parent's wake-up descriptor and use the loop as if it were theirs; each wake-up that is
/// meant for the parent still comes to the parent.
@MainActor func forkedChildrenTakeNoWakeUps() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let served = Log(of: Int.self)
  Warnings.capture()
  fflush(nil)
  let children = (0..<3).map { _ in
    let pid = forkProcess()
    if pid != 0 { return pid }
    alarm(600)
    // Until the parent ends it.
    while true {
      loop.wakeUp()
      // Refused; else it would end the child.
      loop.perform { _exit(1) }
      loop.run(mode: .default, for: .zero)
      loop.stop()
      usleep(100)
    }
  }
  let rounds = 300
  let poster = OtherThread {
    for round in 0..<rounds {
      while !loop.isWaiting { sched_yield() }
      loop.perform { served.append(round) }
      let limit = GRunLoop.Instant.now + .seconds(20)
      while served.count <= round, GRunLoop.Instant.now < limit { sched_yield() }
      if served.count <= round { break }
    }
    loop.perform { drive.quit() }
  }
  drive.run()
  poster.join()
  for child in children {
    kill(child, SIGKILL)
    var status: CInt = 0
    waitpid(child, &status, 0)
    expectEqual(status, SIGKILL, "how a child ended")
  }
  expectEqual(served.entries, Array(0..<rounds), "what was served")
}
