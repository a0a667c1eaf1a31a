import CRunLoopShims
import Glibc

/// What the code at an address is called.
enum Symbols {
  /// The function that begins at an address, or its address.
  static func name(of address: UInt?) -> String? {
    guard let address else { return nil }
    return find(address)?.name ?? hexadecimal(address)
  }

  /// An entry of a stack: the function, the file that it is in, and where there, for `addr2line` and `llvm-symbolizer`.
  static func line(of address: UInt) -> String {
    // A return address is behind the call.
    guard let found = find(address - 1) else { return hexadecimal(address) }
    let place = "\(found.file.split(separator: "/").last ?? "")+\(hexadecimal(address - found.base))"
    return found.name.map { "\($0)  (\(place))" } ?? place
  }

  private static func hexadecimal(_ number: UInt) -> String { "0x" + String(number, radix: 16) }

  private static func find(_ address: UInt) -> (name: String?, file: String, base: UInt)? {
    var file = grl_file()
    guard grl_find_file(address, &file) else { return nil }
    let path = file.name.map { String(cString: $0) }
    let name = SymbolTable.of(path ?? "/proc/self/exe", file)?.name(at: address - file.base)
    return (name.map(demangled), path ?? String(cString: grl_program_name()), file.base)
  }

  private static func demangled(_ name: String) -> String {
    guard let text = swift_demangle(name, name.utf8.count, nil, nil, 0) else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}

/// In Swift's runtime, for tools like this one (swift/Demangling/Demangle.h).
@_silgen_name("swift_demangle")
private func swift_demangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
