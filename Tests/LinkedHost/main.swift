import CGLib
import Dispatch
import Glibc
import RunLoopMainQueue

// A GLib program whose only tie to run loops is that it is linked with the library that serves the main queue.

alarm(120)
let loop = g_main_loop_new(nil, 0)
DispatchQueue.main.async { g_main_loop_quit(loop) }
g_main_loop_run(loop)
