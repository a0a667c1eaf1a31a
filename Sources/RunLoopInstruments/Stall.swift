import GLibRunLoop

extension GRunLoop {
  /// That a loop did not turn for too long, and what kept it.
  public struct Stall: Sendable {
    /// The kind of item whose call-back runs: `Timer`, `perform`, …; `GLib's sources` if it is none of the loop's.
    public let kind: String
    /// The item's ``/GLibRunLoop/GRunLoop/Item/name``; of a `GSource` of GLib's the name that it was given, if stacks are taken.
    public let name: String?
    /// Where the item was added or the perform queued, as `Module/File.swift:12`. Nil for what was there before the
    /// first instrument.
    public let place: String?
    /// The mode that the loop is in.
    public let mode: Mode?
    /// How long the loop has not turned, time in which the process was stopped left out.
    public let duration: Duration
    /// How long this call-back runs; the rest went to those that came before it. Nil if none does.
    public let callbackDuration: Duration?
    /// How many call-backs began since the loop last waited, this one included.
    public let callbacks: Int
    /// What the loop's thread was doing, the innermost call first, if stacks are taken.
    public let stack: [String]
    /// The name of the thread that is kept.
    public let thread: String
    /// False when the limit has passed; true when the loop turns again, with the whole duration.
    public let isOver: Bool

    func over(_ duration: Duration) -> Stall {
      Stall(
        kind: kind, name: name, place: place, mode: mode, duration: duration, callbackDuration: nil,
        callbacks: callbacks, stack: [], thread: thread, isOver: true)
    }
  }
}

extension GRunLoop.Stall: CustomStringConvertible {
  /// The report, in one line and one for each entry of the stack.
  public var description: String {
    let length = "\(Self.milliseconds(duration)) ms"
    let head =
      isOver
      ? "the loop of \(thread.printable) turns again, after \(length)"
      : "the loop of \(thread.printable) has not turned for \(length)"
    return ([head + ": " + what] + stack.map { "    " + $0.printable }).joined(separator: "\n")
  }

  private var what: String {
    var text = name.map { "\(kind) \"\($0.printable)\"" } ?? kind
    if let place { text += kind == "perform" ? ", queued at \(place)" : ", added at \(place)" }
    if let mode { text += ", in mode \("\(mode)".printable)" }
    if let callbackDuration, callbacks > 1 {
      text += "; \(Self.milliseconds(callbackDuration)) ms in this call-back, the last of \(callbacks)"
    }
    return text
  }

  private static func milliseconds(_ duration: Duration) -> Int64 { duration.wholeNanoseconds / 1_000_000 }
}
