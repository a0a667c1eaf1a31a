import CFaults
import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct NoSystemCallTests {
  @Test(
    "X1 R7 threads exchange messages without a system call while the receiver is busy; a sleeping one is woken by one",
    arguments: Driver.allCases)
  func busyReceiver(_ driver: Driver) async throws {
    try await onLoopThread {
      var wakes: CInt = 0
      // A loop that says that it waits may find something as it falls asleep, and be awake again when the message comes.
      for _ in 0..<20 where wakes == 0 { wakes = Self.callsToWake(driver) }
      #expect(wakes == 1)
    }
  }

  /// Plays the scene. Returns how many calls the first message took.
  private static func callsToWake(_ driver: Driver) -> CInt {
    let drive = Drive(driver)
    let (isBusy, isSent) = (Gate<Void>(), Gate<Void>())
    let toWake = Locked<CInt>(-1)
    let whileBusy = Locked<CInt>(-1)
    var toReceive: CInt = -1
    var received: [UInt32] = []
    let port = Port(capacity: 1000) { message in
      received.append(message.id)
      switch message.id {
      case 0:
        isBusy.open(())
        isSent.wait()
      // All but the last one, which has a pass of its own.
      case 1: CallCount.begin()
      case 998: toReceive = CallCount.all
      case 999: drive.quit()
      default: break
      }
    }
    drive.loop.add(port, forMode: .default)
    let loop = drive.loop
    let sender = TestThread {
      while !loop.isWaiting {}
      CallCount.begin()
      try? port.send(PortMessage(id: 0))
      toWake.withLock { $0 = CallCount.all }
      isBusy.wait()
      CallCount.begin()
      for id in 1..<1000 as Range<UInt32> { try? port.send(PortMessage(id: id, components: [[1, 2, 3]])) }
      whileBusy.withLock { $0 = CallCount.all }
      isSent.open(())
    }
    drive.run()
    sender.join()
    port.invalidate()
    #expect(received == Array(0..<1000))
    #expect(whileBusy.withLock { $0 } == 0)
    #expect(toReceive == 0)
    return toWake.withLock { $0 }
  }
}

/// The system calls that the library makes on this thread.
private enum CallCount {
  private static let kinds = (0..<FAULT_CALL_COUNT.rawValue).map { fault_call(rawValue: $0) }

  static func begin() { for kind in kinds { fault_set(kind, 0, 0, 0) } }
  static var all: CInt { kinds.reduce(0) { $0 + fault_calls($1) } }
}
