import GLibRunLoop
import Testing

// One at a time: each of them wants to keep all processors busy.
@Suite(.serialized) struct SpinLosesNothingTests {
  @Test(
    "R7 news are not lost, whether they come in the spin, after it, or at its end",
    arguments: NewsHammer.Form.allCases, [true, false])
  func hammer(_ form: NewsHammer.Form, observed: Bool) async throws {
    try await onLoopThread {
      let drive = Drive(.swift)
      drive.loop.spinDuration = .microseconds(20)
      if observed { drive.loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in }, forMode: .default) }
      NewsHammer(form: form, rounds: 5_000) { _, _, _ in
        let end = GRunLoop.Instant.now + .nanoseconds(Int64.random(in: 0...40_000))
        while .now < end {}
      }.play(drive)
    }
  }
}
