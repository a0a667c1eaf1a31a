// Reads a file with GIO, in one expression, on the main loop.
import CGio
import GLibRunLoop
import RunLoopGIO

@main struct ReadFile {
  static func main() async throws {
    GRunLoop.hostAsyncMain()
    print(try await contents(of: "/etc/hostname"), terminator: "")
    do {
      _ = try await contents(of: "/no/such/file")
    } catch let error as GLibError where error.matches(G_IO_ERROR_NOT_FOUND) {
      print("there is no such file")
    }
  }

  @MainActor static func contents(of path: String) async throws -> String {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(gpointer(file)) }
    let (bytes, length) = try await withGAsyncResult { cancellable, callback, data in
      g_file_load_contents_async(file, cancellable, callback, data)
    } finish: { result, error in
      var bytes: UnsafeMutablePointer<CChar>?
      var length: gsize = 0
      g_file_load_contents_finish(file, result, &bytes, &length, nil, error)
      return (bytes, length)
    }
    defer { g_free(bytes) }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
  }
}
