import CGio
import Foundation
import RunLoopGIO
import Testing

@Suite struct AwaitedFileTests {
  @Test("C7 a file is read in one expression", arguments: Driver.allCases)
  func read(_ driver: Driver) async throws {
    let path = "/tmp/glibrunloop-\(UUID().uuidString)"
    let written = String(repeating: "line\n", count: 100_000)
    try written.write(toFile: path, atomically: false, encoding: .utf8)
    defer { unlink(path) }
    let contents = try await onDrivenActor(driver) { _ in try await Self.contents(path) }
    #expect(contents == written)
  }

  @Test("C7 what fails throws the domain, the code and the message", arguments: Driver.allCases)
  func missingFile(_ driver: Driver) async throws {
    let error = await #expect(throws: GLibError.self) {
      try await onDrivenActor(driver) { _ in try await Self.contents("/nonexistent/file") }
    }
    let expected = try #require(error)
    #expect(expected.domain == "g-io-error-quark")
    #expect(expected.code == CInt(G_IO_ERROR_NOT_FOUND.rawValue))
    #expect(expected.message.contains("/nonexistent/file"))
    #expect(expected.matches(G_IO_ERROR_NOT_FOUND))
    #expect(!expected.matches(G_IO_ERROR_EXISTS))
    #expect(!expected.matches(g_dbus_error_quark(), code: expected.code))
    #expect(!expected.isCancelled)
    #expect("\(expected)" == "\(expected.message) (g-io-error-quark, 1)")
  }

  private static func contents(
    _ path: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(GLibError) -> String {
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
