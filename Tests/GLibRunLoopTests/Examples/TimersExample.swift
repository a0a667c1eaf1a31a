import GLibRunLoop

/// Three timers on a thread's loop.
enum Timers {
  static func add(
    first: @escaping () -> Void, second: @escaping () -> Void,
    always: @escaping () -> Void
  ) {
    let loop = GRunLoop.current
    // Begins one second from now, and goes on every 0.1 s.
    let start = GRunLoop.Instant.now + .seconds(1)
    let timer = GRunLoop.Timer(
      fireDate: start, interval: .milliseconds(100), repeats: true
    ) { _ in first() }
    loop.add(timer, forMode: .default)
    // Every 0.2 s, made and added in one go. It stays until it is invalidated.
    _ = GRunLoop.Timer.scheduled(interval: .milliseconds(200), repeats: true) { _ in
      second()
    }
    // Goes on while a dialogue is up or the user drags something.
    let ticker = GRunLoop.Timer(interval: .milliseconds(500), repeats: true) { _ in
      always()
    }
    loop.add(ticker, forMode: .common)
  }
}
