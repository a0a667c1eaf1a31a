import DemoKit
import Glibc

/// A line that came, and from which input.
struct Line {
  let input: Int
  let bytes: [UInt8]
}

/// Where lines and remarks go.
@MainActor protocol Output: AnyObject {
  func show(_ line: Line)
  func remark(_ text: String)
  /// Writes what was collected. Called before the loop sleeps, so that a burst is one write.
  func flush()
}

/// The names before the lines, if there are several inputs.
struct Labels {
  private let names: [String]
  private let width: Int

  init(_ paths: [String]) {
    names = paths.count > 1 ? Self.shortened(paths) : []
    width = names.map(Text.width).max() ?? 0
  }

  /// The name of an input as a column, or nothing.
  subscript(_ input: Int) -> String? { names.isEmpty ? nil : Text.padded(names[input], to: width) }

  /// The last parts of the paths, as many as it takes to tell them apart.
  private static func shortened(_ paths: [String]) -> [String] {
    let parts = paths.map { $0.split(separator: "/") }
    for count in 1...max(1, parts.map(\.count).max() ?? 1) {
      let short = parts.map { $0.suffix(count).joined(separator: "/") }
      if Set(short).count == short.count { return short }
    }
    return paths
  }
}

/// Output that is no terminal: the bytes as they came.
@MainActor final class PlainOutput: Output {
  private static let enough = 1 << 16

  private let labels: Labels
  private var buffer: [UInt8] = []

  init(labels: Labels) { self.labels = labels }

  func show(_ line: Line) {
    if let label = labels[line.input] { buffer += Array("\(label) │ ".utf8) }
    buffer += line.bytes
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.enough { flush() }
  }

  func remark(_ text: String) {
    flush()
    write(Array("FollowLog: \(text)\n".utf8), to: STDERR_FILENO)
  }

  func flush() {
    write(buffer, to: STDOUT_FILENO)
    buffer.removeAll(keepingCapacity: true)
  }
}
