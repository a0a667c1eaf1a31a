import CGLib
import Glibc

/// A folder for a test's files.
package final class ScratchFolder {
  package let path: String
  private var names: Set<String> = []

  package init() {
    let made = g_dir_make_tmp("glibrunloop-XXXXXX", nil)!
    path = String(cString: made)
    g_free(made)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  package func append(_ text: String, to name: String) { put(text, name, O_APPEND) }

  /// As a program does that begins its log anew.
  package func overwrite(_ name: String, with text: String) { put(text, name, O_TRUNC) }

  package func rename(_ name: String, to other: String) {
    names.insert(other)
    Glibc.rename("\(path)/\(name)", "\(path)/\(other)")
  }

  /// Removes a folder that a program made here, with its one file. What was in that.
  package func remove(_ inner: String, inside name: String) -> String? {
    let file = "\(path)/\(inner)/\(name)"
    defer {
      unlink(file)
      rmdir("\(path)/\(inner)")
    }
    guard let stream = fopen(file, "r") else { return nil }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, stream)], as: UTF8.self)
  }

  private func put(_ text: String, _ name: String, _ how: CInt) {
    names.insert(name)
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC | how, 0o600)
    _ = text.withCString { write(descriptor, $0, strlen($0)) }
    close(descriptor)
  }
}
