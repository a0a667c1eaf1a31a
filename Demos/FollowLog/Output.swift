import DemoKit
import Glibc

/// A line that came, or a piece of one, and from which input.
struct Line {
  let input: Int
  let bytes: [UInt8]
  let continues: Bool
  let ends: Bool

  init(input: Int, piece: LineSplitter.Piece) {
    (self.input, bytes, continues, ends) = (input, piece.bytes, piece.continues, piece.ends)
  }

  /// This piece, and the next one of the same line.
  func followed(by next: Line) -> Line {
    Line(
      input: input, piece: LineSplitter.Piece(bytes: bytes + next.bytes, continues: continues, ends: next.ends))
  }
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
  /// The input whose line has no end yet.
  private var open: Int?

  init(labels: Labels) { self.labels = labels }

  func show(_ line: Line) {
    let goesOn = line.continues && open == line.input
    if open != nil && !goesOn { buffer.append(UInt8(ascii: "\n")) }
    open = line.ends ? nil : line.input
    // Another input's line has come between, and ended this one.
    if line.continues && !goesOn && line.bytes.isEmpty { return }
    if !goesOn, let label = labels[line.input] { buffer += Array("\(label) │ ".utf8) }
    buffer += line.bytes
    if line.ends { buffer.append(UInt8(ascii: "\n")) }
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
