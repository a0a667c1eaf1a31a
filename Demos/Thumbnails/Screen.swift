import Glibc

/// One row of a terminal that is painted again and again, or plain lines where there is no terminal.
@MainActor final class Screen {
  let isTerminal = isatty(STDOUT_FILENO) != 0
  private let hasColours = isatty(STDOUT_FILENO) != 0 && getenv("NO_COLOR") == nil
  private var columns = Screen.width()
  /// What the row shows, without colours.
  private var shown = ""
  private var next: ProgressRow?

  /// What the row shall show. It is painted once before the loop sleeps, however often it changes.
  func show(_ row: ProgressRow) { next = row }

  func paint() {
    guard isTerminal, let row = next else { return }
    next = nil
    // The terminal echoes ^C behind it, which must not begin a new row.
    let (plain, styled) = row.text(columns: columns - 3)
    if plain == shown { return }
    write("\r\u{1B}[2K" + (hasColours ? styled : plain))
    shown = plain
  }

  /// A terminal that became narrower has broken the row; where it begins is that much higher now.
  func resized() {
    columns = Self.width()
    guard !shown.isEmpty else { return }
    let above = max(0, shown.count - 1) / max(1, columns)
    write((above > 0 ? "\u{1B}[\(above)A" : "") + "\r\u{1B}[J")
    shown = " "
  }

  /// Lines above the row.
  func say(_ text: String) {
    clear()
    write(text + "\n")
  }

  /// Leaves the terminal as it was.
  func clear() {
    if !shown.isEmpty { write("\r\u{1B}[2K") }
    shown = ""
  }

  private func write(_ text: String) { put(text, STDOUT_FILENO) }

  private static func width() -> Int {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}

/// On standard error, with the program's name.
func complain(_ text: String) { put("Thumbnails: \(text)\n", STDERR_FILENO) }

/// Writes everything, or nothing more once nobody reads.
private func put(_ text: String, _ descriptor: CInt) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if errno != EINTR && errno != EAGAIN {
      return
    }
  }
}
