import CGLib
import GLibRunLoop
import Glibc
import RunLoopInstruments
import Synchronization
import ThreadKit

/// What needs a process of its own: `InstrumentsProgram SCENARIO ARGUMENTS…`.
@main struct InstrumentsProgram {
  static func main() throws {
    // Whatever hangs is ended by the kernel.
    alarm(60)
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "returns": returns()
    case "exits":
      returns()
      exit(3)
    case "goes-on": goesOn()
    case "hangs": try hangs(dumpingTo: arguments[1])
    case "stalls": stalls()
    case "logs": try logs()
    case "works-in-steps": try worksInSteps(limit: .milliseconds(Int(arguments[1])!))
    case "idles": try idles()
    case "logs-on-loop": logsOnLoop()
    case "is-refused": isRefused(writingTo: arguments[1])
    case "forks": try forks(writingTo: arguments[1])
    case "hangs-in-plugin": try hangs(in: arguments[1])
    default: exit(2)
    }
  }

  /// A little work on the main loop.
  static func returns() {
    let loop = GRunLoop.main
    let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in loop.stop() }
    timer.name = "the only timer"
    loop.add(timer, forMode: .default)
    loop.run()
  }

  /// Says on the main loop what is logged, also while that loop is being made.
  static func logsOnLoop() {
    g_log_set_handler(
      "GLibRunLoop", G_LOG_LEVEL_WARNING,
      { _, _, message, _ in
        let text = String(cString: message!)
        GRunLoop.main.perform {
          InstrumentsProgram.say(text)
          GRunLoop.main.stop()
        }
      }, nil)
    GRunLoop.main.run()
  }

  /// Works until it is killed, and says when it has worked for a while.
  static func goesOn() -> Never {
    let loop = GRunLoop.main
    var count = 0
    let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
      count += 1
      if count == 2000 { say("worked") }
    }
    timer.name = "tick"
    loop.add(timer, forMode: .default)
    loop.run()
    exit(4)
  }

  /// Keeps the last seconds, says that it hangs, and does.
  static func hangs(dumpingTo path: String) throws {
    let loop = GRunLoop.main
    let trace = GRunLoop.Trace.start(keeping: .seconds(2))
    try trace.write(to: path, on: SIGUSR2)
    loop.perform(name: "before") {}
    loop.perform(name: "the one that hangs") {
      say("hangs")
      while true { sleep(1) }
    }
    loop.run()
  }

  private static let isOver = Atomic<Bool>(false)
  private static let losses = Atomic<Int>(0)

  /// Asks again and again for a trace that is being written, while another thread opens a descriptor and looks after it.
  static func isRefused(writingTo path: String) -> Never {
    guard let trace = try? GRunLoop.Trace.start(writingTo: path) else { exit(6) }
    withExtendedLifetime(trace) {
      let other = TestThread {
        // Relaxed, both: a flag and a count. The join orders them.
        while !isOver.load(ordering: .relaxed) {
          let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
          sched_yield()
          if close(descriptor) < 0 { losses.add(1, ordering: .relaxed) }
        }
      }
      for _ in 0..<20_000 where (try? GRunLoop.Trace.start(writingTo: path)) != nil { exit(7) }
      isOver.store(true, ordering: .relaxed)
      other.join()
    }
    exit(losses.load(ordering: .relaxed) == 0 ? 0 : 5)
  }

  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
