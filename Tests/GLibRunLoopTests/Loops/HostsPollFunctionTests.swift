import CGLib
import GLibRunLoop
import Glibc
import Testing

/// A host may poll with a function of its own. In a process of its own, since the library knows one of them.
@Suite struct HostsPollFunctionTests {
  @Test(
    "L6, T2 the host's poll function is asked, and nothing is early or lost", arguments: Driver.allCases, [false, true])
  func asked(_ driver: Driver, _ observed: Bool) async {
    await #expect(processExitsWith: .success) { [driver = driver as Driver, observed = observed as Bool] in
      TestThread {
        let drive = Drive(driver)
        let loop = drive.loop
        g_main_context_set_poll_func(loop.context) { descriptors, count, timeout in
          HostsPoll.calls.withLock { $0 += 1 }
          return g_poll(descriptors, count, timeout)
        }
        let log = Log(of: String.self)
        if observed { log.watch([.beforeWaiting, .afterWaiting]) }
        let pipe = TestPipe()
        let done = Log(of: String.self)
        let timer = GRunLoop.Timer(interval: .microseconds(3500)) { timer in
          precondition(.now >= timer.fireDate, "a timer was early")
          done.append("timer")
          pipe.write()
        }
        let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { input, _ in
          input.invalidate()
          done.append("descriptor")
          drive.quit()
        }
        loop.add(timer, forMode: .default)
        loop.add(input, forMode: .default)
        drive.run()
        precondition(done.entries == ["timer", "descriptor"], "something was lost: \(done.entries)")
        precondition(HostsPoll.calls.withLock { $0 } > 0, "it was not asked")
        precondition(log.count.isMultiple(of: 2), "not in pairs: \(log.entries)")
        g_main_context_set_poll_func(loop.context, nil)
      }.join()
    }
  }

  @Test("R8 when it fails the loop says so once and goes on")
  func fails() async {
    await #expect(processExitsWith: .success) {
      TestThread {
        let drive = Drive(.swift)
        g_main_context_set_poll_func(drive.loop.context) { _, _, _ in
          HostsPoll.calls.withLock { $0 += 1 }
          return HostsPoll.fail()
        }
        // On a busy machine the first poll may come when the timer is due.
        let timer = GRunLoop.Timer(interval: .milliseconds(25), repeats: true) { _ in
          if HostsPoll.calls.withLock({ $0 }) > 2 { drive.quit() }
        }
        drive.loop.add(timer, forMode: .default)
        let said = CapturedWarnings.during { drive.run() }
        precondition(said.count == 1 && said[0].contains("Cannot allocate memory"), "it said \(said)")
        precondition(HostsPoll.calls.withLock { $0 } < 100, "the loop spins")
        g_main_context_set_poll_func(drive.loop.context, nil)
      }.join()
    }
  }
}

/// What the poll function, which has no data of its own, knows.
private enum HostsPoll {
  static let calls = Locked(0)

  static func fail() -> CInt {
    errno = ENOMEM
    return -1
  }
}
