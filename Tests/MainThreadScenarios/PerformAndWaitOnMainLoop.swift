import GLibRunLoop

/// A worker calls the main loop and waits: for a value, for an error, or until its time is up.
@MainActor func performAndWaitOnMainLoop() {
  struct Refused: Error {}
  let loop = GRunLoop.main
  let drive = MainDrive()
  let log = Log(of: String.self)

  let impatient = OtherThread {
    do {
      try loop.performAndWait(timeout: .milliseconds(20)) { fail("it ran although its time was up") }
      fail("it returned although nobody runs the loop")
    } catch {
      expectEqual(error as? GRunLoop.Failure, .timedOut, "the error when nobody runs the loop")
    }
  }
  // Not run meanwhile: this thread is here.
  impatient.join()

  let worker = OtherThread {
    do {
      let value = try loop.performAndWait {
        expect(isFirstThread, "it ran on another thread")
        log.append("ran")
        return 42
      }
      log.append("returned")
      expectEqual(value, 42, "the value")
    } catch {
      fail("it threw \(error)")
    }
    do {
      try loop.performAndWait(timeout: .seconds(100)) { throw Refused() }
      fail("the error was lost")
    } catch {
      expect(error is Refused, "it threw \(error)")
    }
    loop.perform { drive.quit() }
  }
  drive.run()
  worker.join()
  expectEqual(log.entries, ["ran", "returned"])

  // On the main thread itself it runs at once, inside a call-back as well as outside.
  expectEqual(try? loop.performAndWait { 1 }, 1, "inline")
  drive.perform {
    expectEqual(try? loop.performAndWait { 2 }, 2, "inline in a call-back")
    drive.quit()
  }
  drive.run()
}
