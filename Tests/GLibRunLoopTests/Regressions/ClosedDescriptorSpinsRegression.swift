import GLibRunLoop
import Glibc
import Testing

/// Some other part of the program closed a descriptor that was still watched: poll reports it for ever, and nobody is
/// told.
/// https://github.com/containers/conmon/issues/167
/// https://github.com/abrt/abrt/issues/1280
/// https://github.com/containers/conmon/issues/330
@Suite struct ClosedDescriptorSpinsRegression {
  @Test("S6, R8 a closed descriptor does not spin (conmon, abrt)", arguments: Driver.allCases, [1, 3])
  func sleeps(_ driver: Driver, watchers: Int) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      let number = moved(dup(pipe.reader))
      var reports: [GRunLoop.DescriptorSource.Events] = []
      let sources = (0..<watchers).map { _ in
        GRunLoop.DescriptorSource(fileDescriptor: number, events: .readable) { _, events in
          reports.append(events)
          if reports.count == watchers { drive.quit() }
        }
      }
      for source in sources { drive.loop.add(source, forMode: .default) }
      // The second close of what the program took for another file.
      drive.loop.perform(after: .milliseconds(5)) { close(number) }
      drive.run()
      #expect(reports == Array(repeating: .invalid, count: watchers))
      #expect(sources.allSatisfy { !$0.isValid })
      let iterations = Iterations(of: drive.loop.context)
      #expect(iterations.during { drive.run(for: .milliseconds(200)) } < 30)
    }
  }
}
