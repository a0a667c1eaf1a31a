import CGio
import GLibRunLoop
import Glibc
import RunLoopGIO

/// The main actor awaits GIO, whoever drives: what it starts completes on the main loop, and it goes on there.
@MainActor func gioOnMainActor() {
  let drive = MainDrive()
  _ = GRunLoop.main
  Task {
    do {
      let length = try await lengthOfOwnProgram()
      expect(length > 0, "the program's file is empty")
    } catch {
      fail("\(error)")
    }
    expect(isFirstThread, "the main actor is on another thread")
    drive.quit()
  }
  drive.run()
}

@MainActor private func lengthOfOwnProgram() async throws(GLibError) -> Int64 {
  let file = g_file_new_for_path("/proc/self/exe")
  defer { g_object_unref(gpointer(file)) }
  let information = try await withGAsyncResult { cancellable, callback, data in
    expect(isFirstThread, "it was started on another thread")
    expect(
      g_main_context_get_thread_default() == nil || g_main_context_get_thread_default() == g_main_context_default(),
      "it completes on another context")
    g_file_query_info_async(
      file, "standard::size", G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT, cancellable, callback, data)
  } finish: { result, error in
    expect(isFirstThread, "it was finished on another thread")
    return g_file_query_info_finish(file, result, error)
  }
  defer { g_object_unref(gpointer(information)) }
  return Int64(g_file_info_get_size(information))
}
