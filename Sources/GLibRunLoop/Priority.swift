extension GRunLoop {
  /// A GLib priority: the smaller the number, the sooner its turn. (`G_PRIORITY_DEFAULT` and its kin)
  ///
  /// GLib dispatches the sources of one priority before it looks at those of a larger number. Work that must not
  /// get in the way of a window's input (0), layout (110) and drawing (120) is given ``idle``.
  ///
  /// Everything on a loop has ``default`` unless it says otherwise, and only that priority takes part in the
  /// documented order of a pass. Work of another one is noticed by the pass and runs when GLib comes to its priority.
  public struct Priority: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    /// GLib's number.
    public let rawValue: Int32

    /// The priority of this number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The priority of this number, so that a number can stand where a priority is wanted.
    public init(integerLiteral value: Int32) { self.rawValue = value }

    /// Before everything else that is ready, GTK's input included: -100. (`G_PRIORITY_HIGH`)
    public static let high: Priority = -100

    /// Beside GTK's input events: 0. (`G_PRIORITY_DEFAULT`)
    public static let `default`: Priority = 0

    /// After input, before GTK lays out (110) and draws (120): 100. (`G_PRIORITY_HIGH_IDLE`)
    public static let highIdle: Priority = 100

    /// When the window has nothing to do: 200. (`G_PRIORITY_DEFAULT_IDLE`)
    public static let idle: Priority = 200

    /// After everything else: 300. (`G_PRIORITY_LOW`)
    public static let low: Priority = 300

    /// Whether the left one has its turn first.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }
}
