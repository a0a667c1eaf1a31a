import Glibc

/// A terminal that a test sits at.
package final class PseudoTerminal {
  package let master: CInt
  /// The program's end.
  package let slave: CInt

  package init(rows: Int, columns: Int) {
    var (master, slave) = (CInt(-1), CInt(-1))
    openpty(&master, &slave, nil, nil, nil)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (self.master, self.slave) = (master, slave)
    resize(rows: rows, columns: columns)
  }

  /// The process that talks with the master closes it.
  deinit { close(slave) }

  /// The kernel tells the program by SIGWINCH.
  package func resize(rows: Int, columns: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
  }

  /// Whether typed lines are echoed, as a shell expects to find it.
  package var isEchoing: Bool {
    var settings = termios()
    return tcgetattr(slave, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }
}
