import CFaults
import GLibRunLoop
import Glibc
import Testing

@Suite struct WakeUpInterruptedTests {
  @Test("R7 a signal in the middle of a wake-up does not lose it", arguments: Driver.allCases)
  func interrupted(_ driver: Driver) async throws {
    try await onLoopThread {
      let worker = DrivenWorker(driver)
      let ran = Log(of: Int.self)
      var interrupted: CInt = 0
      for round in 0..<20 {
        waitUntilAsleep(worker.loop)
        // The loop may have woken by itself meanwhile; then there is no write.
        interrupted += Faults.during(FAULT_WRITE, EINTR, count: 3) { worker.loop.perform { ran.append(round) } }
        while ran.count == round { sched_yield() }
      }
      worker.finish()
      #expect(interrupted > 0)
      #expect(ran.entries == Array(0..<20))
    }
  }
}
