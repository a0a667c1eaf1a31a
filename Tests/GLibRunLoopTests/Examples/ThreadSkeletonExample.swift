import GLibRunLoop

/// The skeleton of a thread that works when a source says so.
enum ThreadSkeleton {
  /// The thread's main: until somebody stops the loop, or nothing is left in it.
  static func main(
    source: GRunLoop.Source, betweenRuns: (GRunLoop.RunResult) -> Void
  ) {
    let loop = GRunLoop.current
    loop.add(source, forMode: .default)
    var isDone = false
    repeat {
      // Until a source was handled, and for ten seconds at most.
      let result = loop.run(
        mode: .default, for: .seconds(10), returnAfterSourceHandled: true)
      isDone = result == .stopped || result == .finished
      // The place to look at what the handlers left, at the time, or at a flag.
      betweenRuns(result)
    } while !isDone
    source.invalidate()
  }
}
