import CGio
import RunLoopGIO
import Testing

@Suite struct AwaitedSubprocessTests {
  @Test("C7 a process is fed, read and awaited", arguments: Driver.allCases)
  func communicate(_ driver: Driver) async throws {
    let input = String(repeating: "a word ", count: 50_000)
    let output = try await onDrivenActor(driver) { _ in
      let process = startProcess(["tr", "a-z", "A-Z"])
      defer { g_object_unref(gpointer(process)) }
      let output = try await withGAsyncResult { cancellable, callback, data in
        g_subprocess_communicate_utf8_async(process, input, cancellable, callback, data)
      } finish: { result, error in
        var output: UnsafeMutablePointer<CChar>?
        g_subprocess_communicate_utf8_finish(process, result, &output, nil, error)
        return output
      }
      defer { g_free(output) }
      #expect(g_subprocess_get_exit_status(process) == 0)
      return output.map { String(cString: $0) }
    }
    #expect(output == input.uppercased())
  }

  @Test("C7 a process that fails is an error of the domain of exit statuses")
  func failure() async throws {
    let error = await #expect(throws: GLibError.self) {
      try await onDrivenActor(.swift) { _ in
        let process = startProcess(["sh", "-c", "exit 3"])
        defer { g_object_unref(gpointer(process)) }
        try await withGAsyncResult { cancellable, callback, data in
          g_subprocess_wait_check_async(process, cancellable, callback, data)
        } finish: { result, error in
          _ = g_subprocess_wait_check_finish(process, result, error)
        }
      }
    }
    #expect(error?.matches(g_spawn_exit_error_quark(), code: 3) == true)
  }
}
