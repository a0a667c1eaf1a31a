import CFaults
import GLibRunLoop
import Glibc

/// Ends the process, with a line that says why.
@MainActor func mainQueueCannotBeWatched() {
  // The first one watched is the wake-up.
  fault_set(FAULT_EPOLL_ADD, ENOMEM, 1, 1)
  _ = GRunLoop.main
}
