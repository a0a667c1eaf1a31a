import CFaults
import GLibRunLoop
import Glibc
import Testing

/// What the kernel refuses is refused with its reason, harms nothing else, and can be tried again.
@Suite struct DescriptorCannotBeWatchedTests {
  /// The call that fails, how many of its kind go through before, with what, and what is said.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let call: fault_call
    let skip: CInt
    let error: CInt
    let message: String

    var testDescription: String { message }
  }

  static let refusals = [
    Refusal(
      call: FAULT_EPOLL_CREATE, skip: 0, error: EMFILE,
      message: "epoll_create1 failed: Too many open files; close descriptors, or raise"),
    Refusal(call: FAULT_EPOLL_ADD, skip: 0, error: ENOMEM, message: "epoll_ctl failed: Cannot allocate memory"),
    Refusal(
      call: FAULT_EPOLL_ADD, skip: 1, error: ENOSPC, message: "failed: No space left on device; raise the user's limit"),
  ]

  @Test("S5 a refused descriptor source is in no mode; the next try works", arguments: Driver.allCases, refusals)
  func refused(_ driver: Driver, _ refusal: Refusal) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let pipe = TestPipe()
      pipe.write()
      let source = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in drive.quit() }
      // All of the same loop's other work goes on.
      let performed = Log(of: Int.self)
      drive.loop.perform(inModes: [.default]) { performed.append(1) }
      let said = CapturedWarnings.during {
        let hits = Faults.during(refusal.call, refusal.error, after: refusal.skip) {
          #expect(!drive.loop.add(source, forMode: .default))
        }
        #expect(hits == 1)
      }
      #expect(said.count == 1)
      #expect(said.first?.contains("was not added to mode \"default\"") ?? false)
      #expect(said.first?.contains(refusal.message) ?? false)
      #expect(source.isValid)
      #expect(!drive.loop.contains(source, inMode: .default))
      drive.poll()
      #expect(performed.count == 1)
      #expect(drive.loop.add(source, forMode: .default))
      drive.run()
      source.invalidate()
    }
  }

  @Test("S5, L5 tries that fail leave no descriptor behind")
  func noLeak() async throws {
    await #expect(processExitsWith: .success) {
      let thread = TestThread {
        let loop = GRunLoop.current
        let before = OpenDescriptors.count
        for refusal in Self.refusals {
          for round in 0..<20 {
            let source = GRunLoop.DescriptorSource(fileDescriptor: 0, events: .readable) { _, _ in }
            _ = CapturedWarnings.during {
              Faults.during(refusal.call, refusal.error, after: refusal.skip) {
                precondition(!loop.add(source, forMode: .init("\(refusal) \(round)")))
              }
            }
          }
        }
        // The third kind leaves each of its 20 modes with a set. The test library opens some, too, now and then.
        precondition(OpenDescriptors.count < before + 30)
      }
      thread.join()
    }
  }
}
