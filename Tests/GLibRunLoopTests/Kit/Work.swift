import CGLib
import GLibRunLoop

/// The kinds of work that can be ready for a loop.
enum Work: CaseIterable, Sendable {
  case source, perform, timer, descriptor, foreign

  /// Makes work of this kind ready in this thread's loop, in the default mode. It is done once.
  func makeReady(_ body: @escaping () -> Void) {
    let loop = GRunLoop.current
    switch self {
    case .source:
      let source = GRunLoop.Source { source in
        source.invalidate()
        body()
      }
      loop.add(source, forMode: .default)
      source.signal()
    case .perform:
      // Stays on this thread.
      nonisolated(unsafe) let body = body
      loop.perform(inModes: [.default]) { body() }
    case .timer:
      loop.add(GRunLoop.Timer(fireDate: .now) { _ in body() }, forMode: .default)
    case .descriptor:
      let pipe = BytePipe()
      pipe.put()
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { source, _ in
        source.invalidate()
        pipe.take()
        body()
      }
      loop.add(source, forMode: .default)
    case .foreign:
      Foreign.idle {
        body()
        return false
      }.attach(to: loop.context)
    }
  }
}

/// All pairs of two lists, as arguments of a test.
func pairs<First: Sendable, Second: Sendable>(_ first: [First], _ second: [Second]) -> [(First, Second)] {
  first.flatMap { one in second.map { (one, $0) } }
}
