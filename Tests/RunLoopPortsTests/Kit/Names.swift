import Glibc
import RunLoopPorts
import Synchronization

/// The two places where names can be.
enum NamePlace: CaseIterable, Sendable {
  case folder, abstract

  /// A name that no other test uses.
  var name: PortName {
    let text = "test-\(getpid())-\(namesUsed.wrappingAdd(1, ordering: .relaxed).newValue)"
    switch self {
    case .abstract: return PortName(text, in: .abstract)
    case .folder: return PortName(text, in: .folder(scratchFolder))
    }
  }
}

private let namesUsed = Atomic<Int>(0)

/// A folder of this process's own.
let scratchFolder: String = {
  var template = Array("/tmp/runloop-ports-XXXXXX".utf8CString)
  let made = mkdtemp(&template)
  precondition(made != nil, "mkdtemp failed: \(errno)")
  let path = String(cString: made!)
  // With what processes left there that a test killed.
  atexit {
    if let folder = opendir(scratchFolder) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink("\(scratchFolder)/\(name)")
      }
      closedir(folder)
    }
    rmdir(scratchFolder)
  }
  return path
}()
