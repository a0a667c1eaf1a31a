extension GRunLoop {
  /// The name of a set of items that fire together.
  ///
  /// A loop always runs in exactly one mode, and only the items that were added to that mode fire; what happens to
  /// the others is held until a run comes to their mode. Besides the modes named here every string is a mode:
  ///
  /// ```swift
  /// loop.add(source, forMode: "player")
  /// ```
  ///
  /// The counterparts are `CFRunLoopMode` and `RunLoop.Mode`; the raw values are Apple's.
  public struct Mode: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name. It must not be empty.
    public let rawValue: String

    /// The mode of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The mode of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The mode of this name, so that a string can stand where a mode is wanted.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The mode that a loop is in when nobody chose another one. (`kCFRunLoopDefaultMode`)
    public static let `default` = Mode("kCFRunLoopDefaultMode")

    /// Not a mode but a set of modes: what is added here is in every mode of the set, those that join later
    /// included. A run cannot be in it. (`kCFRunLoopCommonModes`)
    public static let common = Mode("kCFRunLoopCommonModes")

    /// For a run that lasts while a modal dialogue is up. Common from the start. (`NSModalPanelRunLoopMode`)
    public static let modalPanel = Mode("NSModalPanelRunLoopMode")

    /// For a run that lasts while the user drags, scrolls or has a menu open. Common from the start.
    /// (`NSEventTrackingRunLoopMode`)
    public static let eventTracking = Mode("NSEventTrackingRunLoopMode")

    /// For a run that waits for one reply and wants to hear of nothing else. (`NSConnectionReplyMode`)
    public static let connectionReply = Mode("NSConnectionReplyMode")
  }
}

extension GRunLoop.Mode: CustomStringConvertible {
  /// The mode's short name, such as `default`; the raw value for a mode of the program's own.
  public var description: String {
    switch self {
    case .default: "default"
    case .common: "common"
    case .modalPanel: "modalPanel"
    case .eventTracking: "eventTracking"
    case .connectionReply: "connectionReply"
    default: rawValue
    }
  }
}
