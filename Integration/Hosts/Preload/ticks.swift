import Dispatch

// A Swift program on GLib's main loop that knows nothing of run loops: its main actor ticks, if anybody serves it.
@_silgen_name("g_main_loop_new") func newLoop(_ context: OpaquePointer?, _ isRunning: CInt) -> OpaquePointer?
@_silgen_name("g_main_loop_run") func run(_ loop: OpaquePointer?)
@_silgen_name("g_main_loop_quit") func quit(_ loop: OpaquePointer?)
@_silgen_name("g_timeout_add") func add(
  _ interval: CUnsignedInt, _ function: @convention(c) (UnsafeMutableRawPointer?) -> CInt,
  _ data: UnsafeMutableRawPointer?
) -> CUnsignedInt

let loop = newLoop(nil, 0)
var ticks = 0
let mainLoop = UnsafeMutableRawPointer(loop)
Task { @MainActor in
  while ticks < 10 {
    ticks += 1
    try await Task.sleep(for: .milliseconds(5))
  }
  quit(loop)
}
_ = add(
  2000,
  { data in
    quit(OpaquePointer(data))
    return 0
  }, mainLoop)
run(loop)
print(ticks == 10 ? "ticks" : "no ticks")
