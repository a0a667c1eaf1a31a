import Glibc

/// The terminal as keyboard: keys come at once and unechoed, and its settings are put back however the program ends.
@MainActor package final class Terminal {
  /// Non-blocking, and not shared with the shell.
  package let descriptor: CInt

  package init?() {
    descriptor = open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    var settings = termios()
    guard descriptor >= 0, tcgetattr(descriptor, &settings) == 0 else { return nil }
    saved = (descriptor, settings)
    atexit { restoreTerminal() }
    takeOver()
  }

  /// Ctrl-C remains a signal; Ctrl-Z and Ctrl-\ become keys, since they would leave the settings as they are.
  package func takeOver() {
    guard var settings = saved?.settings else { return }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VSUSP)] = 0
      characters[Int(VQUIT)] = 0
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    tcsetattr(descriptor, TCSADRAIN, &settings)
  }

  /// Stops the program as Ctrl-Z does, and comes back when the shell continues it.
  package func suspend() {
    restoreTerminal()
    kill(0, SIGTSTP)
    takeOver()
  }

  package func nextKey() -> UInt8? {
    var key: UInt8 = 0
    return read(descriptor, &key, 1) == 1 ? key : nil
  }

  package static func size() -> (rows: Int, columns: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }
}

// For atexit, which calls a plain function. Set once on the main thread, before that function is known.
private nonisolated(unsafe) var saved: (descriptor: CInt, settings: termios)?

private func restoreTerminal() {
  guard let (descriptor, settings) = saved else { return }
  withUnsafePointer(to: settings) { _ = tcsetattr(descriptor, TCSADRAIN, $0) }
}
