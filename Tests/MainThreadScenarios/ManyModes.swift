import GLibRunLoop
import Glibc

/// Private modes come and go, and take nothing of the system with them.
@MainActor func manyModes() {
  func descriptors() -> Int {
    let folder = opendir("/proc/self/fd")!
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
  let loop = GRunLoop.main
  func visit(_ number: Int) {
    let mode = GRunLoop.Mode("mode \(number)")
    switch number % 4 {
    case 0:
      loop.perform(inModes: [mode]) {}
      loop.run(mode: mode, for: .zero)
    case 1:
      let timer = GRunLoop.Timer(interval: .seconds(100)) { (_: GRunLoop.Timer) in }
      loop.add(timer, forMode: mode)
      loop.run(mode: mode, for: .zero)
      timer.invalidate()
    case 2:
      let source = GRunLoop.DescriptorSource(fileDescriptor: 0, events: .urgent, sendableHandler: { _, _ in })
      loop.add(source, forMode: mode)
      loop.run(mode: mode, for: .zero)
      loop.remove(source, forMode: mode)
    default:
      // It is never run.
      let source = GRunLoop.DescriptorSource(fileDescriptor: 0, events: .urgent, sendableHandler: { _, _ in })
      loop.add(source, forMode: mode)
      source.invalidate()
    }
    loop.run(mode: .default, for: .zero)
  }
  for number in 0..<8 { visit(number) }
  let before = descriptors()
  for number in 8..<400 { visit(number) }
  expectEqual(descriptors(), before, "descriptors after 400 modes that have nothing in them")
}
