import CGLib

/// A C function with its data, in an item that C knows by a handle. Lets go of the data with the last closure that has it.
final class Callback<Function>: @unchecked Sendable {
  // Invariant for @unchecked: `handle` is written once, before the item is handed out; the rest never. What `data` is may
  // cross threads: the header says so.

  let function: Function
  private let data: gpointer?
  private let notify: GDestroyNotify?
  private var handle: OpaquePointer?

  init(_ function: Function, _ data: gpointer?, _ notify: GDestroyNotify?) {
    self.function = function
    self.data = data
    self.notify = notify
  }

  deinit {
    notify?(data)
    if let handle { HandleTable.releaseByCallback(handle) }
  }

  /// The handle of the item that the call-back is in.
  func bind(to item: AnyObject, _ kind: HandleKind) -> OpaquePointer {
    let handle = HandleTable.make(item, kind, heldByCallback: true)
    self.handle = handle
    return handle
  }

  /// Calls with the item's handle, which is good for the time of the call although the program may have given up its own.
  func call(_ body: (Function, OpaquePointer?, gpointer?) -> Void) {
    guard let handle else { return body(function, nil, data) }
    HandleTable.retain(handle, for: .library)
    body(function, handle, data)
    HandleTable.release(handle, by: .library)
  }
}
