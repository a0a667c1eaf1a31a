import CRunLoopShims
import Glibc

/// A file of code, as it is read; it may be changed meanwhile, and hold anything. (elf(5))
final class ELFFile {
  private let descriptor: CInt
  private let size: UInt64
  private let header: Elf64_Ehdr
  private let status: stat

  /// Nil if it cannot be read, or is none of 64 bits in this machine's order of bytes.
  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    var header = Elf64_Ehdr()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      pread(descriptor, &header, MemoryLayout<Elf64_Ehdr>.size, 0) == MemoryLayout<Elf64_Ehdr>.size, header.isOurs
    else {
      close(descriptor)
      return nil
    }
    self.status = status
    self.header = header
    size = UInt64(clamping: status.st_size)
  }

  deinit { close(descriptor) }

  /// Nil if the file does not have them.
  func bytes(at offset: UInt64, _ count: UInt64) -> [UInt8]? {
    let (end, isBeyond) = offset.addingReportingOverflow(count)
    guard !isBeyond, end <= size else { return nil }
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
      while got < buffer.count {
        let step = pread(descriptor, buffer.baseAddress! + got, buffer.count - got, off_t(offset) + off_t(got))
        if step <= 0 { break }
        got += step
      }
      initialized = got
    }
    return got == Int(count) ? bytes : nil
  }

  var sections: [Elf64_Shdr]? { table(at: header.e_shoff, Int(header.e_shnum)) }

  private func table<Entry>(at offset: UInt64, _ count: Int) -> [Entry]? {
    let size = MemoryLayout<Entry>.size
    return bytes(at: offset, UInt64(count * size))?.withUnsafeBytes { bytes in
      (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: Entry.self) }
    }
  }

  /// What is to be held against a loaded image's.
  func identity(like image: FileIdentity) -> FileIdentity? {
    switch image {
    case .file: .file(device: status.st_dev, inode: status.st_ino)
    case .build: buildID.map(FileIdentity.build)
    }
  }

  private var buildID: [UInt8]? {
    let segments: [Elf64_Phdr] = table(at: header.e_phoff, Int(header.e_phnum)) ?? []
    return segments.lazy.filter { $0.p_type == 4 }.compactMap { segment in
      self.bytes(at: segment.p_offset, segment.p_filesz)?.withUnsafeBytes { buildIDInNotes($0) }
    }.first
  }
}

extension Elf64_Ehdr {
  fileprivate var isOurs: Bool {
    e_ident.0 == 0x7f && e_ident.1 == 0x45 && e_ident.2 == 0x4c && e_ident.3 == 0x46 && e_ident.4 == 2
      && e_ident.5 == 1
  }
}

/// The value of the note GNU_BUILD_ID.
private func buildIDInNotes(_ notes: UnsafeRawBufferPointer) -> [UInt8]? {
  func number(_ offset: Int) -> Int { Int(notes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  var offset = 0
  while offset + 12 <= notes.count {
    let (name, value) = (offset + 12, offset + 12 + (number(offset) + 3) / 4 * 4)
    let end = value + number(offset + 4)
    if end > notes.count { return nil }
    if number(offset + 8) == 3, number(offset) == 4, notes[name..<name + 3].elementsEqual("GNU".utf8) {
      return Array(notes[value..<end])
    }
    offset = (end + 3) / 4 * 4
  }
  return nil
}

/// By what a file is known again after it was loaded.
enum FileIdentity: Hashable {
  case build([UInt8])
  /// Where there is no build number in it.
  case file(device: dev_t, inode: ino_t)

  /// Of the image in memory; nil if it cannot be told.
  init?(of loaded: grl_file) {
    if let build = Self.buildID(in: loaded) {
      self = .build(build)
    } else if let mapped = Self.mapped(at: loaded.start) {
      self = mapped
    } else {
      return nil
    }
  }

  private static func buildID(in loaded: grl_file) -> [UInt8]? {
    guard let start = UnsafeRawPointer(bitPattern: loaded.start), loaded.end > loaded.start else { return nil }
    let image = UnsafeRawBufferPointer(start: start, count: Int(loaded.end - loaded.start))
    guard image.count >= MemoryLayout<Elf64_Ehdr>.size else { return nil }
    let header = image.loadUnaligned(as: Elf64_Ehdr.self)
    let size = MemoryLayout<Elf64_Phdr>.size
    // What it says of itself lies in its first page, which is mapped.
    guard header.isOurs, header.e_phoff <= 4096, Int(header.e_phoff) + Int(header.e_phnum) * size <= 4096 else {
      return nil
    }
    for index in 0..<Int(header.e_phnum) {
      let segment = image.loadUnaligned(fromByteOffset: Int(header.e_phoff) + index * size, as: Elf64_Phdr.self)
      guard segment.p_type == 4 else { continue }
      let begin = Int(bitPattern: loaded.base &+ UInt(segment.p_vaddr) &- loaded.start)
      guard begin >= 0, begin <= image.count, segment.p_memsz <= image.count - begin else { continue }
      if let build = buildIDInNotes(
        UnsafeRawBufferPointer(rebasing: image[begin..<begin + Int(segment.p_memsz)]))
      {
        return build
      }
    }
    return nil
  }

  /// The file that the kernel has mapped there. (proc(5), maps)
  private static func mapped(at address: UInt) -> FileIdentity? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0 {
      // "55d0c0a00000-55d0c0a01000 r--p 00000000 fe:00 1234   /usr/bin/program"
      let fields = String(cString: line!).split(separator: " ", maxSplits: 5)
      guard fields.count > 5, fields[0].hasPrefix(String(address, radix: 16) + "-") else { continue }
      let device = fields[3].split(separator: ":").compactMap { dev_t($0, radix: 16) }
      guard device.count == 2, let inode = ino_t(fields[4]), inode != 0 else { return nil }
      // As makedev(3) puts them together.
      let major = (device[0] & ~0xfff) << 32 | (device[0] & 0xfff) << 8
      let minor = (device[1] & ~0xff) << 12 | device[1] & 0xff
      return .file(device: major | minor, inode: inode)
    }
    return nil
  }
}
