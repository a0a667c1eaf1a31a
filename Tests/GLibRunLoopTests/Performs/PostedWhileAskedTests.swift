import CGLib
import GLibRunLoop
import Testing

@Suite struct PostedWhileAskedTests {
  /// Work for the loop that another thread posts while GLib asks the sources whether they are ready.
  private final class Poster {
    private let source: UnsafeMutablePointer<GSource>
    private let context: OpaquePointer

    /// - Parameter priority: Sources of better ones were asked before it, the others come after.
    init(_ context: OpaquePointer, priority: CInt, _ post: @escaping @Sendable () -> Void) {
      self.context = context
      source = g_source_new(Self.functions, UInt32(MemoryLayout<Record>.stride))!
      UnsafeMutableRawPointer(source).assumingMemoryBound(to: Record.self).pointee.post = .passRetained(
        Post(body: post))
      g_source_set_priority(source, priority)
      g_source_attach(source, context)
    }

    deinit {
      g_source_destroy(source)
      g_source_unref(source)
    }

    private struct Record {
      var source: GSource
      // GLib hands out the memory zeroed.
      var post: Unmanaged<Post>?
    }

    private final class Post: Sendable {
      let body: @Sendable () -> Void
      init(body: @escaping @Sendable () -> Void) { self.body = body }
    }

    // Written once, and only read after that.
    private nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
      let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
      functions.initialize(to: GSourceFuncs())
      functions.pointee.prepare = { source, timeout in
        let record = UnsafeMutableRawPointer(source!).assumingMemoryBound(to: Record.self)
        if let post = record.pointee.post?.takeRetainedValue() {
          record.pointee.post = nil
          TestThread { post.body() }.join()
        }
        timeout?.pointee = -1
        return 0
      }
      functions.pointee.check = { _ in 0 }
      functions.pointee.dispatch = { _, _, _ in 1 }
      return functions
    }()
  }

  @Test(
    "R7, R10 work of any priority that comes while the sources are asked is not slept over",
    arguments: pairs(Driver.allCases, [GRunLoop.Priority.high, .default, .highIdle, .idle]))
  func priority(_ driver: Driver, _ priority: GRunLoop.Priority) async throws {
    try await onLoopThread {
      for place: CInt in [-200, -50, 50, 250] {
        let drive = Drive(driver)
        let loop = drive.loop
        // A priority's source comes with the first work of it.
        loop.perform(priority: priority) { loop.stop() }
        drive.poll()
        var posters: [Poster] = []
        let timer = GRunLoop.Timer(fireDate: .now) { _ in
          posters.append(Poster(loop.context, priority: place) { loop.perform(priority: priority) { drive.quit() } })
        }
        loop.add(timer, forMode: .default)
        drive.run()
        withExtendedLifetime(posters) {}
      }
    }
  }
}
