// A program whose main is async, and whose main thread turns the main loop all the same.
import GLibRunLoop

@main struct AsyncMain {
  static func main() async throws {
    GRunLoop.hostAsyncMain()

    let ticks = GRunLoop.Timer(interval: .milliseconds(20), repeats: true) { _ in print("tick") }
    GRunLoop.main.add(ticks, forMode: .common)
    try await Task.sleep(for: .milliseconds(110))
    ticks.invalidate()
    print("still on the main thread: \(GRunLoop.main.isCurrent)")
  }
}
