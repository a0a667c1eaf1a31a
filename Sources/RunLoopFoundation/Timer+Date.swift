import Foundation
import GLibRunLoop

extension GRunLoop.Timer {
  /// A timer that first fires at a date, by the wall clock. It is added on this thread, to this thread's loop.
  /// (`Timer(fire:interval:repeats:block:)`)
  ///
  /// - Parameters:
  ///   - date: When it first fires. It follows when somebody sets the clock.
  ///   - interval: Seconds between two calls. Zero or less, with `repeats`, means the smallest one: 0.1 ms.
  ///   - repeats: Whether it goes on after the first call.
  ///   - tolerance: How many seconds later than its date it may fire.
  ///   - handler: Called on the loop's thread with the timer.
  public convenience init(
    fire date: Date, interval: TimeInterval = 0, repeats: Bool = false, tolerance: TimeInterval = 0,
    handler: @escaping (GRunLoop.Timer) -> Void
  ) {
    self.init(
      fireDate: GRunLoop.Instant(date), interval: Duration(clamping: interval), repeats: repeats,
      tolerance: Duration(clamping: tolerance), handler: handler)
  }

  /// A timer whose handler is the main actor's: for ``/GLibRunLoop/GRunLoop/main`` only.
  public convenience init(
    fire date: Date, interval: TimeInterval = 0, repeats: Bool = false, tolerance: TimeInterval = 0,
    handler: @escaping @MainActor (GRunLoop.Timer) -> Void
  ) {
    self.init(
      fireDate: GRunLoop.Instant(date), interval: Duration(clamping: interval), repeats: repeats,
      tolerance: Duration(clamping: tolerance), handler: handler)
  }

  /// A timer that can be added to any loop, from any thread.
  @_disfavoredOverload
  public convenience init(
    fire date: Date, interval: TimeInterval = 0, repeats: Bool = false, tolerance: TimeInterval = 0,
    sendableHandler: @escaping @Sendable (GRunLoop.Timer) -> Void
  ) {
    self.init(
      fireDate: GRunLoop.Instant(date), interval: Duration(clamping: interval), repeats: repeats,
      tolerance: Duration(clamping: tolerance), sendableHandler: sendableHandler)
  }

  /// Makes a timer that first fires one interval from now, and adds it to this thread's loop.
  /// (`Timer.scheduledTimer(withTimeInterval:repeats:block:)`)
  public static func scheduledTimer(
    withTimeInterval interval: TimeInterval, repeats: Bool, forMode mode: GRunLoop.Mode = .default,
    handler: @escaping (GRunLoop.Timer) -> Void
  ) -> GRunLoop.Timer {
    .scheduled(interval: Duration(clamping: interval), repeats: repeats, forMode: mode, handler: handler)
  }

  /// When the timer fires next, as a date; otherwise as ``/GLibRunLoop/GRunLoop/Timer/fireDate``. (`Timer.fireDate`)
  public var date: Date {
    get { Date(fireDate) }
    set { fireDate = GRunLoop.Instant(newValue) }
  }

  /// The seconds between two calls; zero for a one-shot. (`Timer.timeInterval`)
  public var timeInterval: TimeInterval { interval / .seconds(1) }
}
