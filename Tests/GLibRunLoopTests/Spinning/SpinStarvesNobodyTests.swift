import GLibRunLoop
import Glibc
import Synchronization
import Testing

@Suite struct SpinStarvesNobodyTests {
  private final class Feeder: Sendable {
    let taken = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
  }

  @Test("R10 a loop that always finds work in its spin still comes to descriptors, timers and GLib's sources")
  func fair() async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      let loop = drive.loop
      loop.spinDuration = .longSpin
      let (own, foreign) = (BytePipe(), BytePipe())
      var calls: [String: Int] = [:]
      // Each has its turn many times, or the run does not end.
      let kinds = ["timer", "descriptor", "idle", "time-out", "foreign descriptor"]
      func called(_ kind: String) -> Bool {
        calls[kind, default: 0] += 1
        let isDone = kinds.allSatisfy { calls[$0, default: 0] >= 20 }
        if isDone { drive.quit() }
        return !isDone
      }
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in
        _ = called("timer")
        own.put()
        foreign.put()
        Foreign.idle {
          _ = called("idle")
          return false
        }.attach(to: loop.context)
      }
      loop.add(timer, forMode: .default)
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: own.readEnd, events: .readable) { _, _ in
        own.take()
        _ = called("descriptor")
      }
      loop.add(descriptor, forMode: .default)
      Foreign.timeout(milliseconds: 1) { called("time-out") }.attach(to: loop.context)
      Foreign.readable(foreign.readEnd) {
        foreign.take()
        return called("foreign descriptor")
      }.attach(to: loop.context)
      // The next perform comes when the last has run, most often while the loop spins.
      let feeder = Feeder()
      let thread = TestThread {
        var given = 0
        while !feeder.isDone.load(ordering: .relaxed) {
          if feeder.taken.load(ordering: .relaxed) == given {
            given += 1
            loop.perform { feeder.taken.wrappingAdd(1, ordering: .relaxed) }
          }
          sched_yield()
        }
      }
      drive.run()
      feeder.isDone.store(true, ordering: .relaxed)
      thread.join()
      for kind in kinds { #expect(calls[kind, default: 0] >= 20, "\(kind) starved") }
      descriptor.invalidate()
    }
  }
}
