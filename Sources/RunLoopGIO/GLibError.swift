import CGio
import GLibRunLoop

/// What a GLib or GIO function reports through its `GError **`: where the error is from, which one it is, and a message
/// for people.
///
/// ```swift
/// do {
///   print(try await contents(of: path))
/// } catch let error as GLibError where error.matches(G_IO_ERROR_NOT_FOUND) {
///   print("there is no such file")
/// }
/// ```
///
/// An error that came over D-Bus has its name at the beginning of the message, as GDBus puts it there.
public struct GLibError: Error, Equatable, Sendable {
  /// The name of the error domain, such as `g-io-error-quark`. (`g_quark_to_string`)
  public let domain: String
  /// The error's number in its domain.
  public let code: CInt
  /// What went wrong, in the user's language.
  public let message: String

  /// Takes an error over: it is freed.
  ///
  /// - Parameter error: A `GError *` of which the caller is the owner.
  public init(taking error: UnsafeMutablePointer<GError>) {
    domain = g_quark_to_string(error.pointee.domain).map { String(cString: $0) } ?? ""
    code = error.pointee.code
    message = error.pointee.message.map { String(cString: $0) } ?? ""
    g_error_free(error)
  }

  /// The loop's failure, as the C library's functions report it.
  init(_ failure: GRunLoop.Failure) {
    domain = Self.loopDomain
    // The numbers of GRunLoopError.
    code =
      switch failure {
      case .ended: 0
      case .timedOut: 1
      case .cancelled: 2
      case .forked: 3
      case .wrongThread: 4
      case .refused: 5
      }
    message = failure.description
  }

  private static let loopDomain = "grunloop-error-quark"

  /// Whether the call's run loop has ended, so that nobody would complete it.
  public var loopHasEnded: Bool { domain == Self.loopDomain && code == GLibError(.ended).code }

  /// Whether it is this error of this domain. (`g_error_matches`)
  ///
  /// - Parameters:
  ///   - domain: As the C library gives it, such as `g_dbus_error_quark()`.
  ///   - code: One of the domain's numbers.
  public func matches(_ domain: GQuark, code: CInt) -> Bool {
    self.code == code && g_quark_try_string(self.domain) == domain && domain != 0
  }

  /// Whether it is this error of GIO's own domain.
  public func matches(_ code: GIOErrorEnum) -> Bool { matches(g_io_error_quark(), code: CInt(code.rawValue)) }

  /// Whether the call was cancelled: by its task, or through its `GCancellable`.
  public var isCancelled: Bool { matches(G_IO_ERROR_CANCELLED) }
}

extension GLibError: CustomStringConvertible {
  /// The message, with domain and code behind it.
  public var description: String { "\(message) (\(domain), \(code))" }
}
