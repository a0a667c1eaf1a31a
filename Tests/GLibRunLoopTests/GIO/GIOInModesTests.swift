import CGio
import GLibRunLoop
import Testing

@Suite struct GIOInModesTests {
  @Test(
    "C7, M6 a call that is started in a run finishes inside that run, whatever its mode",
    arguments: ["private", .default] as [GRunLoop.Mode])
  func finishesInside(_ mode: GRunLoop.Mode) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let finished = Log(of: GRunLoop.Mode?.self)
      loop.perform(inModes: [mode]) {
        Self.query {
          finished.append(loop.currentMode); loop.stop()
        }
      }
      // Something to wait for: GIO's own sources keep no mode alive.
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: mode)
      #expect(loop.run(mode: mode, for: .seconds(60)) == .stopped)
      anchor.invalidate()
      #expect(finished.entries == [mode])
    }
  }

  @Test("C7, M2 a call that was started in the default mode is held in a private run, and finishes after it")
  func heldInPrivateRun() async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let log = Log(of: String.self)
      loop.perform(inModes: [.default]) {
        Self.query {
          log.append("finished")
          loop.stop()
        }
        let timer = GRunLoop.Timer(interval: .milliseconds(50)) { (_: GRunLoop.Timer) in log.append("private run") }
        loop.add(timer, forMode: "private")
        loop.run(mode: "private", for: .seconds(60))
      }
      let anchor = GRunLoop.Source { _ in }
      loop.add(anchor, forMode: .default)
      #expect(loop.run(mode: .default, for: .seconds(60)) == .stopped)
      anchor.invalidate()
      #expect(log.entries == ["private run", "finished"])
    }
  }

  /// Asks GIO, in another thread of its, for what a folder is.
  private static func query(_ done: @escaping () -> Void) {
    final class Box {
      let done: () -> Void
      init(_ done: @escaping () -> Void) { self.done = done }
    }
    let file = g_file_new_for_path("/")
    g_file_query_info_async(
      file, "standard::*", G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT, nil,
      { file, result, box in
        let information = g_file_query_info_finish(OpaquePointer(file), result, nil)
        #expect(information != nil)
        g_object_unref(gpointer(information))
        Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().done()
      }, Unmanaged.passRetained(Box(done)).toOpaque())
    g_object_unref(gpointer(file))
  }
}
