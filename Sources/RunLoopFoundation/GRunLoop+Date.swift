import Foundation
import GLibRunLoop

// Disfavoured, so that `.now` and `.distantPast` mean the loop's own instants where both would do.

extension GRunLoop {
  /// Runs in the default mode until a date; as `run(until:)` with an instant. (`RunLoop.run(until:)`)
  @_disfavoredOverload
  public func run(until limit: Date) { run(until: Instant(limit)) }

  /// Runs in a mode until one source was handled or the date has come; as with an instant. (`RunLoop.run(mode:before:)`)
  ///
  /// - Returns: False if there was nothing to wait for in the mode.
  @_disfavoredOverload
  @discardableResult
  public func run(mode: Mode, before limit: Date) -> Bool { run(mode: mode, before: Instant(limit)) }

  /// Runs in a mode for so many seconds; as with a duration. (`CFRunLoopRunInMode`)
  @discardableResult
  public func run(mode: Mode, for seconds: TimeInterval, returnAfterSourceHandled: Bool = false) -> RunResult {
    run(mode: mode, for: Duration(clamping: seconds), returnAfterSourceHandled: returnAfterSourceHandled)
  }
}
