import DemoKit

/// The last row: what the program does, and how much comes.
struct StatusLine {
  var isPaused = false
  var isHighlighting = true
  var openInputs = 0
  var inputs = 0
  var held = 0
  var mode = ""

  private static let back = "\u{1B}[0;38;5;252;48;5;236m"
  private static let faint = "\u{1B}[38;5;245m"
  private static let strong = "\u{1B}[0;1;38;5;255;48;5;236m"
  private static let following = "\u{1B}[0;1;38;5;16;48;5;114m"
  private static let paused = "\u{1B}[0;1;38;5;16;48;5;214m"

  /// A piece of the row; those of a higher rank go first when it is too narrow.
  private struct Piece {
    let text: String
    let styled: String
    let rank: Int

    init(_ text: String, styled: String? = nil, rank: Int) {
      self.text = text
      self.styled = styled ?? text
      self.rank = rank
    }
  }

  /// Exactly as wide as the terminal.
  func styled(_ rates: inout Rates, columns: Int) -> String {
    let badge = isPaused ? " ❚❚ PAUSED " : " ▶ FOLLOWING "
    let keys = keyPieces()
    var pieces = [Piece(badge, rank: 0)] + facts(&rates)
    var showsKeys = true
    func width() -> Int {
      pieces.reduce(0) { $0 + Text.width($1.text) + 2 } + (showsKeys ? Text.width(keys.text) + 1 : 0)
    }
    while width() > columns {
      if let last = pieces.indices.max(by: { pieces[$0].rank < pieces[$1].rank }), pieces[last].rank >= 4 {
        pieces.remove(at: last)
      } else if showsKeys {
        showsKeys = false
      } else if pieces.count > 1 {
        pieces.removeLast()
      } else {
        return (isPaused ? Self.paused : Self.following) + String(badge.prefix(columns)) + Style.plain
      }
    }
    let gap = String(repeating: " ", count: columns - width())
    let left = pieces.dropFirst().map { "  " + $0.styled }.joined()
    let right = showsKeys ? keys.styled + " " : ""
    return (isPaused ? Self.paused : Self.following) + badge + Self.back + left + "  " + gap + right + Style.plain
  }

  private func facts(_ rates: inout Rates) -> [Piece] {
    let rate = rates.perSecond()
    let files = openInputs == inputs ? "\(inputs)" : "\(openInputs) of \(inputs)"
    var pieces = [
      Piece("\(files) input\(inputs == 1 ? "" : "s")", rank: 4),
      fact(Text.grouped(rates.lines), rates.lines == 1 ? "line" : "lines", rank: 1),
    ]
    if isPaused {
      pieces.append(fact(Text.bytes(Double(held)), "held", rank: 1))
    } else {
      pieces.append(fact("\(Text.tenths(rate.lines))/s", "", rank: 2))
      pieces.append(Piece("\(Text.bytes(rate.bytes))/s", rank: 6))
      let bars = rates.sparkline()
      pieces.append(Piece(bars, styled: "\u{1B}[38;5;114m\(bars)\(Self.back)", rank: 7))
    }
    pieces.append(Piece("up \(Text.clock(rates.uptime))", rank: 3))
    pieces.append(Piece("mode \(mode)", styled: "\(Self.faint)mode \(mode)\(Self.back)", rank: 5))
    return pieces
  }

  private func fact(_ value: String, _ unit: String, rank: Int) -> Piece {
    let unit = unit.isEmpty ? "" : " \(unit)"
    return Piece(value + unit, styled: Self.strong + value + Self.back + unit, rank: rank)
  }

  private func keyPieces() -> (text: String, styled: String) {
    let keys = [
      ("p", isPaused ? "resume" : "pause"), ("h", isHighlighting ? "plain" : "highlight"), ("q", "quit"),
    ]
    return (
      keys.map { "\($0.0) \($0.1)" }.joined(separator: "  "),
      keys.map { "\(Self.strong)\($0.0)\(Self.back) \(Self.faint)\($0.1)\(Self.back)" }.joined(separator: "  ")
    )
  }
}
