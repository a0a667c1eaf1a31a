import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct CheckInExampleTests {
  @Test("E5 X1 a worker checks in with the main thread's port and its own, and both talk", arguments: Driver.allCases)
  func checkIn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var answer: [UInt8] = []
      let port = CheckIn.receiveWorkers {
        answer = $0
        drive.quit()
      }
      let worker = TestThread { CheckIn.workerMain(mainPort: port) }
      drive.run()
      worker.join()
      port.invalidate()
      #expect(answer == [2, 4, 6])
    }
  }
}
