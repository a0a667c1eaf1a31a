import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct HostWakeUpsTests {
  /// What reaches a loop while its host polls. It tells `done` on the loop's thread.
  enum Call: CaseIterable, Sendable {
    case perform, lane, signal, timer, otherClock, descriptor, sourceInMode, idle, watch, invoke

    func make(on loop: GRunLoop, _ source: GRunLoop.Source, _ pipe: TestPipe, _ done: @escaping @Sendable () -> Void) {
      func callBack() -> Bool {
        done()
        return false
      }
      switch self {
      case .perform: loop.perform { done() }
      case .lane: loop.perform(priority: .highIdle) { done() }
      case .signal: source.signal()
      case .timer: loop.add(GRunLoop.Timer(fireDate: .now, sendableHandler: { _ in done() }), forMode: .common)
      case .otherClock:
        loop.add(GRunLoop.Timer(fireDate: .now(on: .wall), sendableHandler: { _ in done() }), forMode: .common)
      case .descriptor:
        loop.add(
          GRunLoop.DescriptorSource(
            fileDescriptor: pipe.reader, events: .readable, sendableHandler: { _, _ in done() }),
          forMode: .default)
      case .sourceInMode:
        let idle = Foreign.idle(callBack)
        loop.add(idle, forMode: .default)
        g_source_unref(idle)
      case .idle: Foreign.idle(callBack).attach(to: loop.context)
      case .watch: Foreign.readable(pipe.reader, callBack).attach(to: loop.context)
      case .invoke:
        let box = Unmanaged.passRetained(Box(call: done)).toOpaque()
        g_main_context_invoke(
          loop.context,
          { box in
            Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().call()
            return 0
          }, box)
      }
    }

    private final class Box {
      let call: @Sendable () -> Void

      init(call: @escaping @Sendable () -> Void) { self.call = call }
    }

    /// Whether GLib's code does it, which wakes a context for other threads only.
    var isForeign: Bool { [.idle, .watch, .invoke].contains(self) }
  }

  @Test("R11, R7 what another thread does ends the host's poll", arguments: Call.allCases)
  func otherThread(_ call: Call) async throws {
    try await withPollingHost { host in
      let isDone = Locked(false)
      let source = GRunLoop.Source(sendableHandler: { _ in isDone.withLock { $0 = true } })
      host.loop.add(source, forMode: .default)
      host.settle()
      let (loop, pipe) = (host.loop, TestPipe())
      pipe.write()
      let thread = pthread_self()
      let other = TestThread {
        call.make(on: loop, source, pipe) {
          #expect(pthread_equal(pthread_self(), thread) != 0)
          isDone.withLock { $0 = true }
        }
      }
      host.run { isDone.withLock { $0 } }
      other.join()
    }
  }

  @Test(
    "R11, R7 what the host's own call-backs do between two turns ends its poll",
    arguments: Call.allCases.filter { !$0.isForeign })
  func sameThread(_ call: Call) async throws {
    try await withPollingHost { host in
      let isDone = Locked(false)
      let source = GRunLoop.Source(sendableHandler: { _ in isDone.withLock { $0 = true } })
      host.loop.add(source, forMode: .default)
      host.settle()
      let pipe = TestPipe()
      pipe.write()
      call.make(on: host.loop, source, pipe) { isDone.withLock { $0 = true } }
      host.run { isDone.withLock { $0 } }
    }
  }

  @Test(
    "R11 after GLib code on the host's own thread, a turn, wakeUp() or a context that is polled so finds what it did")
  func sameThreadForeign() async throws {
    for way in 0..<3 {
      try await onLoopThread {
        if way == 2 {
          g_main_context_push_thread_default(g_main_context_new_with_flags(G_MAIN_CONTEXT_FLAGS_OWNERLESS_POLLING))
        }
        let host = try PollingHost()
        var isDone = false
        Foreign.timeout(milliseconds: 10) {
          isDone = true
          return false
        }.attach(to: host.loop.context)
        if way == 0 { host.loop.iterate() }
        if way == 1 { host.loop.wakeUp() }
        host.run { isDone }
      }
    }
  }

  @Test("R11, R7 wakeUp() and g_main_context_wakeup() are one turn each", arguments: [false, true])
  func wakeUp(_ isForeign: Bool) async throws {
    try await withPollingHost { host in
      for _ in 0..<3 {
        let before = host.turns
        if isForeign { g_main_context_wakeup(host.loop.context) } else { host.loop.wakeUp() }
        #expect(host.isReadable)
        host.settle()
        #expect(host.turns - before <= 2)
      }
    }
  }
}
