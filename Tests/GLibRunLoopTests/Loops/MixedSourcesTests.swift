import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct MixedSourcesTests {
  @Test("L6 sources of GLib's and items of Swift's fire on one loop, whoever drives", arguments: Driver.allCases)
  func bothFire(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let counts = Counts()
      let pipe = BytePipe()
      Foreign.timeout(milliseconds: 1) { counts.note("timeout", drive) }.attach(to: drive.loop.context)
      Foreign.idle { counts.note("idle", drive) }.attach(to: drive.loop.context)
      pipe.put()
      Foreign.readable(pipe.readEnd) {
        pipe.take()
        pipe.put()
        return counts.note("descriptor", drive)
      }.attach(to: drive.loop.context)
      let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in counts.note("timer", drive) }
      let source = GRunLoop.Source { source in
        counts.note("source", drive)
        source.signal()
      }
      drive.loop.add(timer, forMode: .common)
      drive.loop.add(source, forMode: .common)
      source.signal()
      drive.run()
      // None starves another: all of them came again and again.
      #expect(counts.values.count == 5 && counts.values.values.allSatisfy { $0 >= 3 })
    }
  }

  private final class Counts {
    private(set) var values: [String: Int] = [:]

    @discardableResult
    func note(_ what: String, _ drive: Drive) -> Bool {
      values[what, default: 0] += 1
      if values.count == 5 && values.values.allSatisfy({ $0 >= 3 }) { drive.quit() }
      return true
    }
  }

  @Test("L6 GLib's call-backs add items, and Swift's handlers attach sources", arguments: Driver.allCases)
  func eachAddsTheOther(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      Foreign.idle {
        log.append("idle")
        let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in
          log.append("timer")
          Foreign.timeout(milliseconds: 1) {
            log.append("timeout")
            loop.perform {
              log.append("perform")
              drive.quit()
            }
            return false
          }.attach(to: loop.context)
        }
        loop.add(timer, forMode: .default)
        return false
      }.attach(to: loop.context)
      drive.run()
      #expect(log.entries == ["idle", "timer", "timeout", "perform"])
    }
  }

  @Test("L6 what other threads attach and invoke wakes the sleeping loop and runs there", arguments: Driver.allCases)
  func fromOtherThreads(_ driver: Driver) throws {
    let worker = DrivenWorker(driver)
    let calls = Calls(loop: worker.loop)
    let note: GSourceFunc = { calls in
      let calls = Unmanaged<Calls>.fromOpaque(calls!).takeUnretainedValue()
      calls.gate.open(calls.loop.isCurrent)
      return 0
    }
    let pointer = Unmanaged.passUnretained(calls).toOpaque()
    for _ in 0..<100 {
      g_main_context_invoke(worker.loop.context, note, pointer)
      #expect(calls.gate.wait())
      let source = g_timeout_source_new(0)!
      g_source_set_callback(source, note, pointer, nil)
      source.attach(to: worker.loop.context)
      #expect(calls.gate.wait())
    }
    worker.finish()
  }

  private final class Calls: Sendable {
    let loop: GRunLoop
    /// Whether the call came on the loop's thread.
    let gate = Gate<Bool>()

    init(loop: GRunLoop) { self.loop = loop }
  }
}
