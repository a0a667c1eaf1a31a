import GLibRunLoop
import Testing

// One at a time: each of them wants to keep all processors busy.
@Suite(.serialized) struct LostWakeUpTests {
  @Test(
    "R7 news for a loop that is about to sleep are never lost",
    arguments: pairs(Driver.allCases, [NewsHammer.Form.signal, .twoSteps, .perform, .fireDate]), [true, false])
  func hammer(_ combination: (Driver, NewsHammer.Form), observed: Bool) async throws {
    let (driver, form) = combination
    try await onLoopThread {
      let drive = Drive(driver)
      if observed { drive.loop.add(GRunLoop.Observer(activities: .beforeWaiting) { _, _ in }, forMode: .default) }
      NewsHammer(form: form, rounds: 10_000) { round, index, player in
        // The loop is on its way to sleep: meet it at another point each time.
        for _ in 0..<((round * (index + 3)) % 300) { _ = player.answers.load(ordering: .relaxed) }
      }.play(drive)
    }
  }
}
