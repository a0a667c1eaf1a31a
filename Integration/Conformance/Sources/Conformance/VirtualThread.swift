import Glibc
import VirtualTime

/// A thread that lives in a virtual time and plays one scenario.
final class VirtualThread: @unchecked Sendable {
  // The clock is used by one thread at a time: the loop's, or the one that it waits for.
  private var clock: OpaquePointer!
  let stage: Stage
  /// What comes from the loop's own time limits, if the loop does not tell the kernel of them: does it if it is due by
  /// that moment.
  var limitComes: ((Int) -> Bool)?
  var makeIdle: (() -> Void)?

  /// Far after the machine's start: Dispatch, in real time, never comes to a run's limit.
  private static let start: Int64 = 1_000_000_000 * 1_000_000_000

  static func moment(_ moment: Int) -> Int64 { start + Int64(moment) * Moment.nanoseconds }

  var now: Int { Int((vt_now(clock) - Self.start) / Moment.nanoseconds) }

  init(_ stage: Stage) { self.stage = stage }

  /// Runs `body` on a thread of its own, and waits until that has ended.
  func run(_ body: @escaping () -> Void) {
    let world = VTWorld(
      context: Unmanaged.passUnretained(self).toOpaque(),
      happens: { Unmanaged<VirtualThread>.fromOpaque($0!).takeUnretainedValue().happens(by: $1) },
      idles: { Unmanaged<VirtualThread>.fromOpaque($0!).takeUnretainedValue().idles() })
    clock = vt_create(
      Self.moment(Moment.start), Self.moment(Moment.end), Int64(Moment.lateness) * Moment.nanoseconds, world)
    thread(body)
    vt_free(clock)
  }

  /// Runs `body` on a thread in the same time, and waits for it.
  func thread(_ body: @escaping () -> Void) {
    let box = Unmanaged.passRetained(
      Body { [clock] in
        vt_enter(clock)
        body()
      })
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      {
        Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    precondition(failed == 0, "pthread_create failed: \(failed)")
    pthread_join(thread, nil)
  }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  func advance(to moment: Int) { vt_advance(clock, Self.moment(moment)) }

  private func happens(by date: Int64) -> Bool {
    let moment = date == .max ? Int.max : Int((date - Self.start) / Moment.nanoseconds)
    if let limitComes, limitComes(min(moment, stage.happening(by: moment) ?? .max)) { return true }
    guard let date = stage.happening(by: moment) else { return false }
    if date > now { advance(to: date + Moment.lateness) }
    stage.happen()
    return true
  }

  private func idles() {
    stage.idle()
    makeIdle!()
  }
}
