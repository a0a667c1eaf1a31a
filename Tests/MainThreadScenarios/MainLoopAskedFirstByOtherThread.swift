import CGLib
import GLibRunLoop

/// Somebody else asks for the main loop before the first thread does, and ends before it runs.
@MainActor func mainLoopAskedFirstByOtherThread() {
  let log = Log(of: String.self)
  let drive = MainDrive()
  let asking = OtherThread {
    let main = GRunLoop.main
    expect(!main.isCurrent, "the asking thread takes itself for the main loop's")
    expect(GRunLoop.current !== main, "the asking thread's own loop is the main one")
    expectEqual(main.context, g_main_context_default(), "the main loop's context")
    main.perform { log.append(isFirstThread ? "on the first thread" : "elsewhere") }
    main.perform { drive.quit() }
  }
  asking.join()
  expectEqual(log.entries, [], "what ran before the loop did")
  drive.run()
  expectEqual(log.entries, ["on the first thread"])
  expect(GRunLoop.main.isCurrent && GRunLoop.current === GRunLoop.main, "the main loop is not the first thread's")

  let waiting = OtherThread {
    do {
      let onFirst = try GRunLoop.main.performAndWait { isFirstThread }
      expect(onFirst, "performAndWait ran elsewhere")
    } catch {
      fail("performAndWait threw \(error)")
    }
    GRunLoop.main.perform { drive.quit() }
  }
  drive.run()
  waiting.join()
}
