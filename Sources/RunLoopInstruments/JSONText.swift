/// JSON as it is written: bytes, with a comma where one belongs.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func object(_ body: (inout JSONText) -> Void) { nest("{", "}", body) }
  mutating func array(_ body: (inout JSONText) -> Void) { nest("[", "]", body) }

  private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
    raw(open)
    isFirst = true
    body(&self)
    raw(close)
    isFirst = false
  }

  /// What follows is the value of this name, or the array's next one.
  mutating func next(_ name: String? = nil) {
    if !isFirst { raw(",") }
    isFirst = false
    guard let name else { return }
    string(name)
    raw(":")
  }

  mutating func field(_ name: String, _ value: String) {
    next(name)
    string(value)
  }

  mutating func field(_ name: String, _ value: Bool) {
    next(name)
    raw(value ? "true" : "false")
  }

  mutating func field(_ name: String, _ value: some BinaryInteger) {
    next(name)
    raw(String(value))
  }

  /// Nanoseconds as microseconds.
  mutating func microseconds(_ name: String, _ nanoseconds: Int64) {
    next(name)
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
    raw(String(whole))
    if rest > 0 { raw("." + String(String(rest + 1000).dropFirst())) }
  }

  mutating func string(_ value: String) {
    raw("\"")
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<32:
        raw("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    raw("\"")
  }

  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: bytes.count < 1 << 20) }
    return bytes
  }
}
