import DemoKit
import Glibc

/// A file's name as the kernel has it: bytes, which need not be text.
struct FileName: Hashable {
  private(set) var bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
  init(_ text: String) { self.init(text.utf8) }
  init(cString: UnsafePointer<CChar>) { self.init(UnsafeRawBufferPointer(start: cString, count: strlen(cString))) }

  /// For people.
  var text: String { Text.printable(bytes) }

  var isAbsolute: Bool { bytes.first == Self.slash }

  /// The names between the slashes, those that lead nowhere left out.
  var parts: [FileName] {
    bytes.split(separator: Self.slash).map { FileName($0) }.filter { $0.bytes != Array(".".utf8) }
  }

  /// This one, and a name in the folder that it is.
  func appending(_ part: FileName) -> FileName {
    FileName(bytes.last == Self.slash ? bytes + part.bytes : bytes + [Self.slash] + part.bytes)
  }

  /// Where a symbolic link leads; nil for anything else.
  var target: FileName? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = withCString { readlink($0, buffer.baseAddress!, buffer.count) }
      return count < 0 ? nil : FileName(UnsafeRawBufferPointer(buffer)[..<count])
    }
  }

  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }

  private static let slash = UInt8(ascii: "/")
}
