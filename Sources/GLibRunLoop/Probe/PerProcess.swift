import CRunLoopShims
import Synchronization

/// What the instruments of a process share, with the lock that guards it.
///
/// A forked child has its own: of the parent's, a thread that the child does not have may hold the lock, or be halfway
/// through a change. The child's is made at its first use there, on whichever thread that is.
package final class PerProcess<State>: @unchecked Sendable {
  // Invariant for @unchecked: `state` is guarded by its holder's lock; the rest does not change, or is atomic.

  @usableFromInline final class Holder {
    fileprivate let process = grl_process()
    @usableFromInline let lock = Lock()
    // Last: one of no size has the address of what follows it, and the thread sanitizer goes by addresses.
    @usableFromInline @exclusivity(unchecked) var state: State

    init(_ state: State) { self.state = state }
  }

  private let holder: Atomic<UnsafeRawPointer>
  private let renewed: (State?) -> State

  /// - Parameters:
  ///   - state: What the first process begins with.
  ///   - renewed: What a forked child begins with, given the parent's state; nil, if that was being changed.
  package init(_ state: State, renewed: @escaping @Sendable (State?) -> State) {
    holder = Atomic(Unmanaged.passRetained(Holder(state)).toOpaque())
    self.renewed = renewed
  }

  deinit { Unmanaged<Holder>.fromOpaque(holder.load(ordering: .acquiring)).release() }  // Acquiring: see `own`.

  // Inlinable: other modules use it at each call-back that an instrument sees.
  @inlinable package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    let holder = own()
    return holder.lock.withLock { body(&holder.state) }
  }

  /// Whether this is a forked child that has not used its own yet. Takes no memory, which a child cannot always have.
  package var isInherited: Bool {
    // Acquiring: it is seen as it was made.
    Unmanaged<Holder>.fromOpaque(holder.load(ordering: .acquiring)).takeUnretainedValue().process != grl_process()
  }

  @usableFromInline func own() -> Holder {
    // Acquiring: it is seen as it was made.
    let pointer = holder.load(ordering: .acquiring)
    let found = Unmanaged<Holder>.fromOpaque(pointer).takeUnretainedValue()
    if found.process == grl_process() { return found }
    // Nobody holds the parent's lock who did not at the fork: what is free stays as it is.
    let new = Holder(renewed(found.lock.isFree ? found.state : nil))
    let retained = Unmanaged.passRetained(new)
    let (won, winner) = holder.compareExchange(
      expected: pointer, desired: UnsafeRawPointer(retained.toOpaque()), ordering: .acquiringAndReleasing)
    if won { return new }
    retained.release()
    return Unmanaged<Holder>.fromOpaque(winner).takeUnretainedValue()
  }
}

extension Lock {
  /// In a forked child, of a lock that was the parent's. Relaxed: nobody there changes it.
  fileprivate var isFree: Bool { word.load(ordering: .relaxed) == Self.free }
}
