import CRunLoopShims
import GLibRunLoop
import Glibc

/// The functions in a program's or a library's file, by where they begin.
final class SymbolTable: Sendable {
  private let functions: [Function]
  /// One after another, each with a zero behind it.
  private let names: [UInt8]

  private struct Function {
    let start: UInt
    let end: UInt
    let name: UInt32
  }

  private struct Key: Hashable {
    let path: String
    let image: FileIdentity
  }

  /// Held while a file is read, by those who make reports.
  private static let tables = PerProcess<[Key: SymbolTable?]>([:]) { $0 ?? [:] }

  /// Nil if the file has none, or cannot be read, or is not the one that was loaded: it may have been replaced since.
  static func of(_ path: String, _ loaded: grl_file) -> SymbolTable? {
    guard let image = FileIdentity(of: loaded) else { return nil }
    return tables.withLock { tables in
      let key = Key(path: path, image: image)
      if let known = tables[key] { return known }
      let table = ELFFile(path).flatMap { $0.identity(like: image) == image ? SymbolTable($0) : nil }
      tables[key] = .some(table)
      return table
    }
  }

  /// - Parameter address: As the file has it.
  func name(at address: UInt) -> String? {
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < functions[low - 1].end else { return nil }
    return String(decoding: names[Int(functions[low - 1].name)...].prefix { $0 != 0 }, as: UTF8.self)
  }

  private init?(_ file: ELFFile) {
    // A file that was stripped has only the functions that others may use.
    guard let sections = file.sections,
      let table = sections.first(where: { $0.sh_type == UInt32(SHT_SYMTAB) })
        ?? sections.first(where: { $0.sh_type == UInt32(SHT_DYNSYM) }),
      Int(table.sh_link) < sections.count, let symbols = file.bytes(at: table.sh_offset, table.sh_size)
    else { return nil }
    let strings = sections[Int(table.sh_link)]
    guard let names = file.bytes(at: strings.sh_offset, strings.sh_size) else { return nil }
    var functions: [Function] = []
    symbols.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 23, by: 24) {
        let symbol = bytes.loadUnaligned(fromByteOffset: offset, as: Elf64_Sym.self)
        guard symbol.st_info & 15 == 2, symbol.st_size > 0, Int(symbol.st_name) < names.count else { continue }
        functions.append(
          Function(
            start: UInt(symbol.st_value), end: UInt(symbol.st_value &+ symbol.st_size), name: symbol.st_name))
      }
    }
    self.functions = functions.sorted { $0.start < $1.start }
    self.names = names
  }
}
