import GLibRunLoop
import Glibc

/// The functions in a program's or a library's file, by where they begin. (ELF, elf(5))
final class SymbolTable: @unchecked Sendable {
  // Invariant for @unchecked: nothing changes after it was made. The file stays mapped, for its names.
  private let functions: [Function]
  private let names: UnsafeRawBufferPointer
  /// A program that is always loaded at the same place gives addresses, and not distances from its beginning.
  private let isFixed: Bool

  private struct Function {
    let start: UInt
    let end: UInt
    let name: UInt32
  }

  /// Guards `tables`. Held while a file is read, by those who make reports.
  private static let lock = Lock()
  private nonisolated(unsafe) static var tables: [String: SymbolTable?] = [:]

  /// Nil if the file cannot be read, or has none.
  static func of(_ file: String) -> SymbolTable? {
    lock.withLock {
      if let known = tables[file] { return known }
      // How a program was started may not be where it is.
      let table = SymbolTable(file) ?? (file.contains("/lib") ? nil : SymbolTable("/proc/self/exe"))
      tables[file] = table
      return table
    }
  }

  func name(at address: UInt, base: UInt) -> String? {
    let address = isFixed ? address : address - base
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < functions[low - 1].end else { return nil }
    return String(decoding: names[Int(functions[low - 1].name)...].prefix { $0 != 0 }, as: UTF8.self)
  }

  private init?(_ file: String) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > MemoryLayout<Elf64_Ehdr>.size,
      let memory = mmap(nil, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: memory, count: status.st_size)
    guard let (functions, names) = Self.functions(in: bytes) else {
      munmap(memory, status.st_size)
      return nil
    }
    self.functions = functions.sorted { $0.start < $1.start }
    self.names = names
    isFixed = bytes.loadUnaligned(as: Elf64_Ehdr.self).e_type == 2
  }

  private static func functions(in bytes: UnsafeRawBufferPointer) -> ([Function], UnsafeRawBufferPointer)? {
    let header = bytes.loadUnaligned(as: Elf64_Ehdr.self)
    // 64 bits, in this machine's order of bytes.
    guard header.e_ident.0 == 0x7f, header.e_ident.1 == 0x45, header.e_ident.4 == 2, header.e_ident.5 == 1 else {
      return nil
    }
    func sections() -> [Elf64_Shdr]? {
      let size = MemoryLayout<Elf64_Shdr>.size
      let end = header.e_shoff.addingReportingOverflow(UInt64(header.e_shnum) * UInt64(size))
      guard !end.overflow, end.partialValue <= bytes.count else { return nil }
      return (0..<Int(header.e_shnum)).map {
        bytes.loadUnaligned(fromByteOffset: Int(header.e_shoff) + $0 * size, as: Elf64_Shdr.self)
      }
    }
    func contents(_ section: Elf64_Shdr) -> UnsafeRawBufferPointer? {
      let end = section.sh_offset.addingReportingOverflow(section.sh_size)
      guard !end.overflow, end.partialValue <= bytes.count else { return nil }
      return UnsafeRawBufferPointer(rebasing: bytes[Int(section.sh_offset)..<Int(end.partialValue)])
    }
    // A file that was stripped has only the functions that others may use.
    guard let sections = sections(),
      let table = sections.first(where: { $0.sh_type == UInt32(SHT_SYMTAB) })
        ?? sections.first(where: { $0.sh_type == UInt32(SHT_DYNSYM) }),
      Int(table.sh_link) < sections.count, let symbols = contents(table),
      let names = contents(sections[Int(table.sh_link)])
    else { return nil }
    var functions: [Function] = []
    for offset in stride(from: 0, to: symbols.count - 23, by: 24) {
      let symbol = symbols.loadUnaligned(fromByteOffset: offset, as: Elf64_Sym.self)
      guard symbol.st_info & 15 == 2, symbol.st_size > 0, Int(symbol.st_name) < names.count else { continue }
      functions.append(
        Function(
          start: UInt(symbol.st_value), end: UInt(symbol.st_value &+ symbol.st_size), name: symbol.st_name))
    }
    return (functions, names)
  }
}
