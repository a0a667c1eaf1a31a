import CGLib
import GLibRunLoop
import Testing

/// What became ready between the call of the before-waiting observers and the sleep was dispatched by GLib before the
/// after-waiting ones were called.
@Suite struct AfterWaitingOvertakenTests {
  @Test(
    "O4, O5, O6 a source of GLib's that is ready before the sleep comes after the observers of its end",
    arguments: Driver.allCases, [G_PRIORITY_HIGH, G_PRIORITY_DEFAULT, G_PRIORITY_LOW])
  func madeReady(_ driver: Driver, _ priority: CInt) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      let observer = GRunLoop.Observer(activities: .beforeWaiting, repeats: false, order: 1) { _, _ in
        Foreign.idle(priority: priority) {
          log.append("foreign")
          drive.quit()
          return false
        }.attach(to: drive.loop.context)
      }
      drive.loop.add(observer, forMode: .default)
      drive.run()
      #expect(log.entries == ["beforeWaiting", "afterWaiting", "foreign"])
    }
  }

  /// Ready whenever it is asked after a poll, which it lets take a moment, and never before one.
  private final class ReadyInCheck {
    private let source: UnsafeMutablePointer<GSource>
    private let body: Unmanaged<Body>

    init(_ context: OpaquePointer, _ body: @escaping () -> Bool) {
      source = g_source_new(Self.functions, UInt32(MemoryLayout<GSource>.stride))!
      self.body = .passRetained(Body(call: body))
      g_source_set_callback(
        source, { Unmanaged<Body>.fromOpaque($0!).takeUnretainedValue().call() ? 1 : 0 }, self.body.toOpaque(), nil)
      g_source_attach(source, context)
    }

    deinit {
      g_source_destroy(source)
      g_source_unref(source)
      body.release()
    }

    private final class Body {
      let call: () -> Bool
      init(call: @escaping () -> Bool) { self.call = call }
    }

    // Written once, and only read after that.
    private nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
      let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
      functions.initialize(to: GSourceFuncs())
      functions.pointee.prepare = { _, timeout in
        timeout?.pointee = 1
        return 0
      }
      functions.pointee.check = { _ in 1 }
      functions.pointee.dispatch = { _, callback, data in callback!(data) }
      return functions
    }()
  }

  @Test("O4, O5 nor is one overtaken that GLib finds ready only after its poll", arguments: Driver.allCases)
  func readyInCheck(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      let source = ReadyInCheck(drive.loop.context) {
        log.append("foreign")
        let isOver = log.entries.count { $0 == "foreign" } == 5
        if isOver { drive.quit() }
        return !isOver
      }
      drive.run()
      withExtendedLifetime(source) {}
      #expect(log.entries.filter { $0 == "foreign" }.count == 5)
      var isAsleep = false
      for entry in log.entries {
        #expect(isAsleep == (entry == "afterWaiting"), "\(log.entries)")
        isAsleep = entry == "beforeWaiting"
      }
    }
  }

  @Test("R9 the loop is not waiting while the observers of the sleep's end are called", arguments: Driver.allCases)
  func isNotWaiting(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: Bool.self)
      let observer = GRunLoop.Observer(activities: .afterWaiting) { _, _ in log.append(drive.loop.isWaiting) }
      drive.loop.add(observer, forMode: .default)
      drive.loop.addTimerThatEndsSleeps { _ in if log.count > 2 { drive.quit() } }
      drive.run()
      #expect(!log.entries.contains(true))
    }
  }

  @Test("O5 a host that polls before it sleeps finds nothing and calls none, or what is ready behind the observers")
  func polled() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      log.watch([.beforeWaiting, .afterWaiting])
      let pipe = BytePipe()
      Foreign.readable(pipe.readEnd) {
        pipe.take()
        log.append("foreign")
        return true
      }.attach(to: loop.context)
      while log.entries.last != "beforeWaiting" { g_main_context_iteration(loop.context, 1) }
      let before = log.count
      for _ in 0..<3 {
        #expect(g_main_context_pending(loop.context) == 0)
        g_main_context_iteration(loop.context, 0)
      }
      #expect(log.count == before)
      pipe.put()
      while g_main_context_pending(loop.context) != 0 { g_main_context_iteration(loop.context, 0) }
      #expect(log.entries.dropFirst(before) == ["afterWaiting", "foreign"])
    }
  }
}
