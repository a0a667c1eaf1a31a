import GLibRunLoop
import Glibc

/// The kernel's news of files and directories: inotify, as a source of the loop.
@MainActor final class Watcher {
  struct Event {
    let watch: CInt
    /// The file in a watched directory; empty if it is about the watched thing itself.
    let name: FileName
    /// Events were lost: anything may have happened.
    let isOverflow: Bool
  }

  enum Answer {
    case watch(CInt)
    /// There is nothing to watch.
    case nothing
    /// It cannot be watched, for this reason: an error of the kernel's.
    case refusal(CInt)
  }

  private let descriptor: CInt
  /// Why there is no descriptor.
  private let failure: CInt
  private var uses: [CInt: Int] = [:]
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(loop: GRunLoop, handler: @escaping @MainActor ([Event]) -> Void) {
    descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    failure = descriptor < 0 ? errno : 0
    if descriptor < 0 { return }
    let source = GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: .readable) { [unowned self] _, _ in
      handler(news())
    }
    loop.add(source, forMode: .common)
  }

  /// Watches a file for what is written, by a descriptor of it, so that a rename meanwhile does no harm.
  func watchFile(_ file: CInt) -> Answer {
    add(FileName("/proc/self/fd/\(file)"), IN_MODIFY | IN_ATTRIB)
  }

  /// Watches a directory for names that come and go.
  func watchDirectory(_ path: FileName) -> Answer {
    add(path, IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_ONLYDIR)
  }

  func unwatch(_ watch: CInt) {
    guard let count = uses[watch] else { return }
    uses[watch] = count > 1 ? count - 1 : nil
    if count == 1 { inotify_rm_watch(descriptor, watch) }
  }

  /// The kernel gives the same number for the same file, however often it is asked.
  private func add(_ path: FileName, _ mask: some BinaryInteger) -> Answer {
    if descriptor < 0 { return .refusal(failure) }
    let watch = path.withCString { inotify_add_watch(descriptor, $0, UInt32(mask)) }
    if watch < 0 { return errno == ENOENT || errno == ENOTDIR ? .nothing : .refusal(errno) }
    uses[watch, default: 0] += 1
    return .watch(watch)
  }

  private func news() -> [Event] {
    var events: [Event] = []
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset < count {
          let header = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let begin = offset + MemoryLayout<inotify_event>.size
          let name = bytes[begin..<begin + Int(header.len)].prefix { $0 != 0 }
          let isOverflow = header.mask & UInt32(IN_Q_OVERFLOW) != 0
          events.append(Event(watch: header.wd, name: FileName(name), isOverflow: isOverflow))
          if header.mask & UInt32(IN_IGNORED) != 0 { uses[header.wd] = nil }
          offset = begin + Int(header.len)
        }
      }
    }
  }
}
