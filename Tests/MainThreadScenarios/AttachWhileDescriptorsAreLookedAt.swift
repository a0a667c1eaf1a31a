import CGLib
@preconcurrency import CRunLoopShims
import GLibRunLoop
import Glibc
import Synchronization

private let isArmed = Atomic<Bool>(false)
private let wasAttached = Atomic<Bool>(false)

/// Another thread attaches a source of GLib's at the very moment in which the loop asks its descriptors, after GLib has
/// been asked and before the sleep: the wake-up is news for GLib, and the source is dispatched.
@MainActor func attachWhileDescriptorsAreLookedAt() {
  let loop = GRunLoop.main
  var ends: [CInt] = [0, 0]
  expectEqual(pipe(&ends), 0, "pipe")
  let source = GRunLoop.DescriptorSource(fileDescriptor: ends[0], events: .readable, sendableHandler: { _, _ in })
  loop.add(source, forMode: .default)
  // GLib's wake-up descriptor is known after some turns.
  for _ in 0..<20 { loop.run(mode: .default, for: .milliseconds(1)) }
  grl_system.epoll_poll = { set, events, capacity in
    if isArmed.exchange(false, ordering: .acquiringAndReleasing) {
      let thread = TestThread {
        g_idle_add(
          { _ in
            wasAttached.store(true, ordering: .releasing)
            return 0
          }, nil)
      }
      thread.join()
    }
    return epoll_pwait(set, events, capacity, 0, nil)
  }
  for round in 0..<50 {
    wasAttached.store(false, ordering: .relaxed)
    // A call-back, so that descriptors are looked at before the sleep.
    loop.perform {
      isArmed.store(true, ordering: .releasing)
    }
    loop.run(mode: .default, for: .milliseconds(100))
    expect(wasAttached.load(ordering: .acquiring), "round \(round): the source was not dispatched")
  }
}
