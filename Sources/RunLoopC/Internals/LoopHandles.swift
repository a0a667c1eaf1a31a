import CRunLoopShims
import GLibRunLoop

/// The handles of loops: one for each loop as long as C has a reference to it.
enum LoopHandles {
  private static let lock = Lock()
  /// By loop. The handle holds its loop, so that the key is good as long as the handle is.
  private nonisolated(unsafe) static var handles: [ObjectIdentifier: OpaquePointer] = [:]

  /// A reference to the loop's handle.
  static func retain(_ loop: GRunLoop, for holder: HandleTable.Holder) -> OpaquePointer {
    lock.withLock {
      if let handle = handles[ObjectIdentifier(loop)], HandleTable.retainIfHeld(handle, for: holder) { return handle }
      let handle = HandleTable.make(loop, .loop, for: holder)
      handles[ObjectIdentifier(loop)] = handle
      return handle
    }
  }

  /// False if the holder has none. The caller holds the loop, so that nothing is freed under the lock.
  @discardableResult static func release(
    _ handle: OpaquePointer, of loop: GRunLoop, by holder: HandleTable.Holder
  ) -> Bool {
    lock.withLock {
      guard HandleTable.release(handle, by: holder) else { return false }
      // Another loop may come to have the address once this one is gone.
      if HandleTable.object(handle) == nil, handles[ObjectIdentifier(loop)] == handle {
        handles[ObjectIdentifier(loop)] = nil
      }
      return true
    }
  }

  /// The main loop's, for good.
  static let main = UncheckedHandle(handle: retain(.main, for: .library))

  struct UncheckedHandle: @unchecked Sendable {
    // A number that is never written.
    let handle: OpaquePointer
  }

  /// The handle of this thread's loop, which holds a reference until the thread ends.
  static func ofThisThread() -> OpaquePointer {
    if let handle = grl_thread_get(GRL_SLOT_HANDLE) { return OpaquePointer(handle) }
    // Before the loop is made, so that it is called after the loop's own end. The first thread's stays to the last.
    if !grl_thread_is_first() { grl_thread_at_exit({ _ in LoopHandles.threadEnds() }, nil) }
    let handle = retain(.current, for: .library)
    grl_thread_set(GRL_SLOT_HANDLE, UnsafeMutableRawPointer(handle))
    return handle
  }

  private static func threadEnds() {
    guard let handle = grl_thread_get(GRL_SLOT_HANDLE) else { return }
    grl_thread_set(GRL_SLOT_HANDLE, nil)
    if let loop = HandleTable.object(OpaquePointer(handle))?.object as? GRunLoop {
      release(OpaquePointer(handle), of: loop, by: .library)
    }
  }
}
