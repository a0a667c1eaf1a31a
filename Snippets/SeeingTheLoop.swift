// Which call-back froze the window, what the loop did before, and how it spends its time.
import GLibRunLoop
import Glibc
import RunLoopInstruments

@main struct SeeingTheLoop {
  static func main() throws {
    let loop = GRunLoop.main

    let trace = GRunLoop.Trace.start(keeping: .seconds(2))
    try trace.write(to: "/tmp/app-%p.json", on: SIGUSR2)

    loop.collectsMetrics = true

    let timer = GRunLoop.Timer(interval: .seconds(60), repeats: true) { _ in save() }
    timer.name = "autosave"
    loop.add(timer, forMode: .common)

    loop.run(mode: .default, for: .milliseconds(10))
    // From any thread.
    print(loop.metrics)
    trace.stop()
  }

  static func save() {}
}
