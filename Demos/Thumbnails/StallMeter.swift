import GLibRunLoop

/// How long the loop was deaf at the worst: a timer that is due each millisecond, and how late it was.
@MainActor final class StallMeter {
  private(set) var longest = Duration.zero
  private(set) var calls = 0
  private var timer: GRunLoop.Timer?

  func start(on loop: GRunLoop) {
    let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { [unowned self] timer in
      calls += 1
      longest = max(longest, timer.fireDate.duration(to: .now))
    }
    loop.add(timer, forMode: .common)
    self.timer = timer
  }

  func stop() { timer?.invalidate() }
}
