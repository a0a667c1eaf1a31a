import CRunLoopMainQueue
import GLibRunLoop

/// Puts the main loop into the default main context, and with it the service of Dispatch's main queue. Called by the
/// library's constructor, before `main`.
@c(grl_serve_main_queue) func serveMainQueue() { _ = GRunLoop.main }
