import GLibRunLoop
import Glibc

/// Lets the other threads go on until something is so. False if it does not come: the limit is for a broken loop, not
/// for a slow machine.
@discardableResult
package func eventually(limit: Duration = .seconds(30), _ condition: () -> Bool) -> Bool {
  let end = GRunLoop.Instant.now + limit
  while !condition() {
    if GRunLoop.Instant.now > end { return false }
    sched_yield()
  }
  return true
}
