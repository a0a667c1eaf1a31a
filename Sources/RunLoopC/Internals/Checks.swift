import CGLib
import CGRunLoop
import GLibRunLoop

// Wrong arguments are critical warnings that name the C function, as g_return_if_fail makes them.

/// Says that a condition does not hold, if it does not.
func require(_ holds: Bool, _ condition: StaticString, in function: StaticString) -> Bool {
  if !holds { complain(condition, in: function) }
  return holds
}

/// The condition of giving up a reference: those of the library's own, such as a call-back's for the time of its call, are
/// not the program's to give up.
let isThePrograms: StaticString = "the reference is the program's to give up"

private func complain(_ condition: StaticString, in function: StaticString) {
  // Swift's name of a function has its labels, C's has not.
  let name = String(describing: function).prefix { $0 != "(" }
  g_return_if_fail_warning("GLibRunLoop", String(name), String(describing: condition))
}

/// The object of a handle of one kind, or a critical warning that it is none.
private func object<Object: AnyObject>(
  _ handle: OpaquePointer?, _ kind: HandleKind, _ condition: StaticString, in function: StaticString
) -> Object? {
  guard let found = HandleTable.object(handle), found.kind == kind else {
    complain(condition, in: function)
    return nil
  }
  // A handle of a kind is made in one place, of one class.
  return unsafeDowncast(found.object, to: Object.self)
}

func loop(_ handle: OpaquePointer?, in function: StaticString = #function) -> GRunLoop? {
  object(handle, .loop, "loop is a GRunLoop, and not given up", in: function)
}

/// This thread's loop.
func ownLoop(_ handle: OpaquePointer?, in function: StaticString = #function) -> GRunLoop? {
  guard let loop = loop(handle, in: function),
    require(loop.isCurrent, "loop is that of the calling thread", in: function)
  else { return nil }
  return loop
}

func queuedPerform(_ handle: OpaquePointer?, in function: StaticString = #function) -> QueuedPerform? {
  object(handle, .perform, "perform is a GRunLoopPerform, and not given up", in: function)
}

/// An item of any kind.
func item(_ handle: gpointer?, in function: StaticString = #function) -> GRunLoop.Item? {
  guard let found = HandleTable.object(handle.map(OpaquePointer.init)), found.kind.isItem else {
    complain("item is a timer, source, observer or other item, and not given up", in: function)
    return nil
  }
  return unsafeDowncast(found.object, to: GRunLoop.Item.self)
}

func timer(_ handle: OpaquePointer?, in function: StaticString = #function) -> GRunLoop.Timer? {
  object(handle, .timer, "timer is a GRunLoopTimer, and not given up", in: function)
}

func source(_ handle: OpaquePointer?, in function: StaticString = #function) -> GRunLoop.Source? {
  object(handle, .source, "source is a GRunLoopSource, and not given up", in: function)
}

func observer(_ handle: OpaquePointer?, in function: StaticString = #function) -> GRunLoop.Observer? {
  object(handle, .observer, "observer is a GRunLoopObserver, and not given up", in: function)
}

func descriptorSource(
  _ handle: OpaquePointer?, in function: StaticString = #function
) -> GRunLoop.DescriptorSource? {
  object(handle, .descriptorSource, "source is a GRunLoopDescriptorSource, and not given up", in: function)
}

func signalSource(_ handle: OpaquePointer?, in function: StaticString = #function) -> GRunLoop.SignalSource? {
  object(handle, .signalSource, "source is a GRunLoopSignalSource, and not given up", in: function)
}

func childSource(_ handle: OpaquePointer?, in function: StaticString = #function) -> GRunLoop.ChildSource? {
  object(handle, .childSource, "source is a GRunLoopChildSource, and not given up", in: function)
}

/// A mode, or the set of common ones.
func mode(_ name: UnsafePointer<CChar>?, in function: StaticString = #function) -> GRunLoop.Mode? {
  guard require(name != nil, "mode != NULL", in: function) else { return nil }
  let mode = String(validatingCString: name!)
  guard require(mode != nil, "mode is in UTF-8", in: function) else { return nil }
  guard require(mode != "", "mode has a name", in: function) else { return nil }
  return GRunLoop.Mode(mode!)
}

/// A mode that a loop can be in.
func properMode(_ name: UnsafePointer<CChar>?, in function: StaticString = #function) -> GRunLoop.Mode? {
  guard let mode = mode(name, in: function),
    require(mode != .common, "mode is one, and not the set of common modes", in: function)
  else { return nil }
  return mode
}

func given<Function>(_ function: Function?, in caller: StaticString = #function) -> Function? {
  _ = require(function != nil, "func != NULL", in: caller)
  return function
}
