import GLibRunLoop

/// The skeleton of a thread that works when a source says so.
enum ThreadSkeleton {
  /// The thread's main: runs the loop until somebody stops it, or until it has nothing left to wait for.
  static func main(source: GRunLoop.Source, betweenRuns: (GRunLoop.RunResult) -> Void) {
    let loop = GRunLoop.current
    loop.add(source, forMode: .default)
    var isDone = false
    repeat {
      // Returns after each source that was handled, and after ten seconds at the latest.
      let result = loop.run(mode: .default, for: .seconds(10), returnAfterSourceHandled: true)
      isDone = result == .stopped || result == .finished
      // The place to look at what the handlers left, at the time, or at a flag.
      betweenRuns(result)
    } while !isDone
    source.invalidate()
  }
}
