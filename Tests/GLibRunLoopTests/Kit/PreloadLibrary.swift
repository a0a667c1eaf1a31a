import CGLib
import Foundation

/// The library to preload, built once for these tests as `make install` builds it. Nil if that failed; standard error says
/// why.
let preloadLibrary: String? = {
  let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").path
  let path = programPath("libRunLoopMainQueue-C.so")
  var arguments = [strdup(repository + "/Scripts/build-preload"), strdup(path), nil]
  defer { arguments.forEach { free($0) } }
  var status: CInt = -1
  let isStarted = g_spawn_sync(nil, &arguments, nil, G_SPAWN_DEFAULT, nil, nil, nil, nil, &status, nil) != 0
  return isStarted && status == 0 ? path : nil
}()
