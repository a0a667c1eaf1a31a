import BenchSupport
import Glibc

/// `grunloop WORKLOAD ARGUMENTS… swift|glib`: one measurement, one line of JSON, as the other peers print it.
@main struct Main {
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    guard let workload = arguments.first, let driver = Driver(rawValue: arguments.last ?? "") else { exit(2) }
    arguments.removeFirst()
    arguments.removeLast()
    if workload == "serve-port" {
      return try! PortServer.serve(arguments[0], driver, spin: .microseconds(Int64(arguments[1]) ?? 0))
    }
    let numbers = arguments.map { UInt64($0) ?? 0 }
    func number(_ index: Int, _ fallback: UInt64) -> UInt64 { index < numbers.count ? numbers[index] : fallback }
    let word = arguments.last ?? ""

    let bench = Bench(driver)
    var names: [String] = []
    switch workload {
    case "post": names = ["P", "N", "what"]
    case "timers_idle", "fds_idle": names = [workload == "fds_idle" ? "K" : "T", "M"]
    case "timers_churn": names = ["T", "M", "B"]
    case "timers_fire": names = ["T", "tolerance_us"]
    case "fds_active": names = ["K", "M", "mode"]
    case "memory": names = ["N", "what"]
    case "mode_switch": names = ["items", "M"]
    case "request": names = ["M", "bytes", "answer", "spin_us"]
    case "pingpong", "wait": names = ["M", "spin_us"]
    default: names = [workload == "post_local" ? "N" : workload == "idle_wakeups" ? "S" : "M"]
    }
    var parameters = zip(names, arguments).map { "\"\($0)\":" + (UInt64($1) == nil ? "\"\($1)\"" : $1) }
    let detail = workload == "post" || workload == "memory" ? " \(word)" : ""
    parameters.append("\"variant\":\"\(driver.rawValue)\(detail)\"")
    peer_setup("grunloop", workload, parameters.joined(separator: ","))

    var operations: UInt64 = 0
    var extra = ""
    switch workload {
    case "post" where word == "job": operations = bench.postJobs(Int(number(0, 1)), number(1, 1_000_000))
    case "post" where word == "job-alone": operations = bench.jobsAlone(number(1, 1_000_000))
    case "post": operations = bench.post(Int(number(0, 1)), number(1, 1_000_000), word)
    case "post_local": operations = bench.postLocal(idleTimers: 0, number(0, 200_000))
    case "timers_idle": operations = bench.postLocal(idleTimers: Int(number(0, 1000)), number(1, 20_000))
    case "pingpong": operations = bench.pingPong(number(0, 200_000), spin: .microseconds(Int64(number(1, 0))))
    case "wait": operations = bench.performAndWait(number(0, 100_000), spin: .microseconds(Int64(number(1, 0))))
    case "tick": operations = bench.tick(number(0, 1_000_000))
    case "idle_wakeups": operations = bench.idle(seconds: Int(number(0, 3)))
    case "hop": (operations, extra) = MainActor.assumeIsolated { bench.hop(number(0, 20_000)) }
    case "memory": (operations, extra) = bench.memory(number(0, 100_000), word)
    case "timers_fire":
      bench.target = number(0, 1000)
      (operations, extra) = bench.timersFire(tolerance: .microseconds(Int64(number(1, 0))))
    case "timers_churn":
      bench.target = number(1, 1_000_000)
      operations = bench.timersChurn(Int(number(0, 10_000)), batch: number(2, 0))
    case "fds_idle":
      bench.target = number(1, 20_000)
      operations = bench.descriptorsIdle(Int(number(0, 100)))
    case "fds_active":
      bench.target = number(1, 200)
      operations = bench.descriptorsActive(Int(number(0, 1000)), level: word == "level")
    case "mode_switch":
      bench.target = number(1, 100_000)
      operations = bench.modeSwitch(Int(number(0, 10)))
    case "port_messages": operations = bench.portMessages(number(0, 1_000_000))
    case "request":
      operations = bench.requests(
        number(0, 50_000), bytes: Int(number(1, 16)), isOneWay: arguments.contains("one-way"),
        spin: .microseconds(Int64(number(3, 0))))
    default: exit(2)
    }
    peer_emit(bench.clock, operations, extra)
    exit(0)
  }
}
