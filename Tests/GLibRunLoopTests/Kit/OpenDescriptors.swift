import Glibc

/// How many descriptors the process has open. Only in an exit test, which runs alone in its process.
enum OpenDescriptors {
  static var count: Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
