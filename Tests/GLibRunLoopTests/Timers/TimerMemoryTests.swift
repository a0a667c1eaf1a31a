import GLibRunLoop
import Glibc
import Testing

@Suite struct TimerMemoryTests {
  private final class WeakTimer {
    weak var timer: GRunLoop.Timer?

    init(_ timer: GRunLoop.Timer) { self.timer = timer }
  }

  @Test("T11 timers and their closures are freed when they end, however that is", arguments: Driver.allCases)
  func freed(_ driver: Driver) async throws {
    try await onLoopThread {
      let lives = LifeCount()
      let drive = Drive(driver)
      var remains: [WeakTimer] = []
      // Each holds itself by its closure, so that only its end can free it.
      func add(repeats: Bool = false, _ end: @escaping (GRunLoop.Timer) -> Void) -> GRunLoop.Timer {
        let token = lives.token()
        var itself: GRunLoop.Timer?
        let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: repeats) { timer in
          token.touch()
          #expect(itself === timer)
          end(timer)
        }
        itself = timer
        remains.append(WeakTimer(timer))
        drive.loop.add(timer, forMode: .default)
        drive.loop.add(timer, forMode: "other")
        return timer
      }
      do {
        _ = add { _ in }
        _ = add(repeats: true) { $0.invalidate() }
        add { _ in }.fire()
        add { _ in }.invalidate()
        add(repeats: true) { _ in }.invalidate()
        let doomed = add(repeats: true) { _ in }
        TestThread { doomed.invalidate() }.join()
      }
      drive.run(for: .milliseconds(10))
      #expect(lives.value == 0)
      #expect(remains.allSatisfy { $0.timer == nil })
    }
  }

  @Test("T11 timers that still wait are freed when their loop ends")
  func loopEnds() async throws {
    let lives = LifeCount()
    try await onLoopThread {
      let token = lives.token()
      for _ in 0..<100 {
        GRunLoop.current.add(GRunLoop.Timer(interval: .seconds(1000)) { _ in token.touch() }, forMode: .default)
      }
      GRunLoop.current.run(until: .distantPast)
    }
    #expect(lives.value == 0)
  }

  @Test("T11 a million timers scheduled and cancelled leave memory as it was")
  func million() async throws {
    try await onLoopThread {
      let lives = LifeCount()
      let loop = GRunLoop.current
      let pending = GRunLoop.Timer(interval: .seconds(1000)) { _ in }
      loop.add(pending, forMode: .default)
      /// One after the other, and some thousands at a time.
      func scheduleAndCancel(_ count: Int) {
        for _ in 0..<(count / 2) {
          let token = lives.token()
          let timer = GRunLoop.Timer(interval: .seconds(100)) { _ in token.touch() }
          loop.add(timer, forMode: .default)
          timer.invalidate()
        }
        for _ in 0..<(count / 20_000) {
          let timers = (0..<10_000).map { index in
            let token = lives.token()
            return GRunLoop.Timer(interval: .seconds(100 + index), repeats: index % 2 == 0) { _ in token.touch() }
          }
          for timer in timers { loop.add(timer, forMode: .default) }
          loop.run(until: .distantPast)
          for timer in timers.shuffled() { timer.invalidate() }
        }
        loop.run(until: .distantPast)
      }
      scheduleAndCancel(40_000)
      let before = residentBytes()
      scheduleAndCancel(1_000_000)
      #expect(lives.value == 0)
      // A hundred bytes of each would be a hundred million.
      #expect(residentBytes() - before < 50_000_000)
      #expect(pending.isValid)
    }
  }

  private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    fgets(&line, CInt(line.count), file)
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Int(text.split(separator: " ")[1])! * sysconf(CInt(_SC_PAGESIZE))
  }
}
