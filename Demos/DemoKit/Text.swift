import CGLib
import Glibc

/// Small things about text that the C library or the terminal wants to be told.
package enum Text {
  package static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }

  /// Thousands apart: 1,234,567.
  package static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var end = digits.endIndex
    while let comma = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex), comma > digits.startIndex {
      digits.insert(",", at: comma)
      end = comma
    }
    return digits
  }

  /// One digit after the point: 3.4.
  package static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  package static func bytes(_ count: Double) -> String {
    var (count, units) = (count, ["B", "kB", "MB", "GB", "TB"][...])
    while count >= 1000, units.count > 1 {
      count /= 1000
      units.removeFirst()
    }
    return (units.first == "B" || count >= 100 ? "\(Int(count.rounded()))" : tenths(count)) + " \(units.first!)"
  }

  /// Hours, minutes and seconds: 1:02:03, or 2:03.
  package static func clock(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
    let tail = twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// How many columns of a terminal a text takes.
  package static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { columns, scalar in
      if scalar.isASCII { return columns + 1 }
      return columns + (g_unichar_iszerowidth(scalar.value) != 0 ? 0 : g_unichar_iswide(scalar.value) != 0 ? 2 : 1)
    }
  }

  package static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  /// Likewise, of a name that others gave.
  package static func printable(_ name: String) -> String { printable(Array(name.utf8)) }

  /// Without anything that a terminal would obey: a log must not be able to move the cursor, nor turn its text around.
  package static func printable(_ bytes: [UInt8]) -> String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 9: text += "    "
      case 13 where text.utf8.count + 1 >= bytes.count: break
      case 0..<32: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
      case 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: text.unicodeScalars.append("\u{FFFD}")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// Writes everything, or nothing more once nobody reads.
package func write(_ bytes: [UInt8], to descriptor: CInt) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      // Somebody else made it non-blocking.
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&request, 1, -1)
    } else if errno != EINTR {
      return
    }
  }
}
