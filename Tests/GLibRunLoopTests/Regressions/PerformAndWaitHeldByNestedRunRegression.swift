import CGLib
import GLibRunLoop
import Testing

/// While a menu or a dialog ran the loop inside one of the queue's own closures, everybody who waited for the queue
/// waited for the dialog's end.
/// https://github.com/wailsapp/wails/pull/6026
/// https://github.com/objective-see/LuLu/pull/18
/// https://github.com/swiftlang/swift-corelibs-xctest/pull/531
/// https://github.com/libsdl-org/SDL/issues/9836
@Suite struct PerformAndWaitHeldByNestedRunRegression {
  enum Dialog: CaseIterable, Sendable { case defaultMode, modalPanel, eventTracking, mainLoop }

  @Test(
    "P3, P1, R6 who waits is served while a closure of the queue runs a dialog (Wails)",
    arguments: pairs(Driver.allCases, Dialog.allCases))
  func served(_ driver: Driver, _ dialog: Dialog) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      nonisolated(unsafe) let mainLoop = g_main_loop_new(loop.context, 0)!
      let isUp = Gate<Void>()
      // The window's input.
      let input = GRunLoop.Source { _ in }
      loop.add(input, forMode: .common)
      let worker = TestThread {
        isUp.wait()
        do {
          for _ in 0..<5 { try loop.performAndWait(timeout: .seconds(60)) { log.append("served") } }
        } catch {
          log.append("\(error)")
        }
        loop.perform { if dialog == .mainLoop { g_main_loop_quit(mainLoop) } else { loop.stop() } }
      }
      loop.perform {
        loop.perform(inModes: [.default, .modalPanel, .eventTracking]) { isUp.open() }
        switch dialog {
        case .defaultMode: loop.run(mode: .default, for: .seconds(100))
        case .modalPanel: loop.run(mode: .modalPanel, for: .seconds(100))
        case .eventTracking: loop.run(mode: .eventTracking, for: .seconds(100))
        case .mainLoop: g_main_loop_run(mainLoop)
        }
        log.append("closed")
        drive.quit()
      }
      drive.run(limit: .seconds(90))
      worker.join()
      input.invalidate()
      g_main_loop_unref(mainLoop)
      #expect(log.entries == Array(repeating: "served", count: 5) + ["closed"])
    }
  }

  @Test("P3, C1, P7 and while a block of the main queue's does", arguments: MainDriver.allCases)
  func mainQueue(_ driver: MainDriver) async throws { try await runScenario("PerformDuringMainQueueBlock", driver) }
}
