import Foundation
import GLibRunLoop
import RunLoopInstruments
import RunLoopPorts

/// Asks a process that has a ``MetricsServer``.
///
/// ```swift
/// for process in try MetricsClient.processes() {
///   let report = try await MetricsClient(process: process, on: .main).report()
///   print(report.program, report.loops.map { "\($0.name): \($0.metrics.busyShare)" })
/// }
/// ```
public final class MetricsClient: Sendable {
  private let port: RemotePort

  /// The processes of this user that publish, the oldest number first.
  ///
  /// - Throws: ``/RunLoopPorts/PortFailure``, if the kernel's list of sockets cannot be read.
  public static func processes(in directory: PortDirectory = .user) throws -> [Int] {
    try directory.names().compactMap { name in
      name.rawValue.hasPrefix(MetricsServer.prefix) ? Int(name.rawValue.dropFirst(MetricsServer.prefix.count)) : nil
    }.sorted()
  }

  /// Connects to a process.
  ///
  /// - Parameters:
  ///   - process: Its number.
  ///   - directory: Where it publishes.
  ///   - loop: Must run, in a common mode, while a report is awaited.
  /// - Throws: ``/RunLoopPorts/PortFailure``, if that process does not publish.
  public init(process: Int, in directory: PortDirectory = .user, on loop: GRunLoop) throws {
    port = try RemotePort(MetricsServer.name(ofProcess: process, in: directory), on: loop)
  }

  /// What its loops have done since somebody first asked.
  ///
  /// - Throws: ``/RunLoopPorts/PortFailure``, or a decoding error if the other process has another version of the report.
  public func report(timeout: Duration = .seconds(5)) async throws -> MetricsReport {
    let answer = try await port.request(
      PortMessage(id: MetricsServer.question), sendTimeout: timeout, receiveTimeout: timeout)
    return try JSONDecoder().decode(MetricsReport.self, from: Data(answer.components.first ?? []))
  }
}
