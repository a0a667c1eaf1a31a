import CGLib
import Glibc

/// Where the pictures are.
struct Folder {
  let path: String
  /// Made by the program, and removed by it.
  let isTemporary: Bool

  static func temporary() throws -> Folder {
    guard let made = g_dir_make_tmp("thumbnails-XXXXXX", nil) else {
      throw Picture.Problem(description: "no temporary folder can be made: \(reason())")
    }
    defer { g_free(made) }
    return Folder(path: String(cString: made), isTemporary: true)
  }

  /// The names of the pictures in it, in order.
  func pictures() throws -> [String] { try names(ending: ".ppm") }

  private func names(ending: String) throws -> [String] {
    guard let directory = opendir(path) else {
      throw Picture.Problem(description: "\(path) cannot be read: \(reason())")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(ending) { names.append(name) }
    }
    return names.sorted()
  }

  var thumbnails: String { "\(path)/thumbnails" }

  func makeThumbnailFolder() throws {
    if mkdir(thumbnails, 0o777) != 0 && errno != EEXIST {
      throw Picture.Problem(description: "\(thumbnails) cannot be made: \(reason())")
    }
  }

  /// The program's own files, and nothing else.
  func remove() {
    for folder in [thumbnails, path] {
      let inside = Folder(path: folder, isTemporary: true)
      for ending in [".ppm", Picture.draftEnding] {
        for name in (try? inside.names(ending: ending)) ?? [] { unlink("\(folder)/\(name)") }
      }
      rmdir(folder)
    }
  }
}
