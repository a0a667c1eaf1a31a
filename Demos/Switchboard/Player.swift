import CGLib
import GLibRunLoop
import Glibc

/// Another process of this program that plays an operator without a screen.
@MainActor final class Player {
  private let process: pid_t
  private let orders: CInt
  private let source: GRunLoop.DescriptorSource
  private var hasEnded = false
  private var ending: CheckedContinuation<Void, Never>?

  /// - Parameter hear: Called with each line that it says.
  init?(_ arguments: [String], hear: @escaping @MainActor (String) -> Void) {
    var vector = (["/proc/self/exe"] + arguments).map { strdup($0) } + [nil]
    defer { vector.forEach { free($0) } }
    var (process, orders, output) = (GPid(), CInt(-1), CInt(-1))
    let isStarted = g_spawn_async_with_pipes(
      nil, &vector, nil, G_SPAWN_DO_NOT_REAP_CHILD, nil, nil, &process, &orders, &output, nil, nil)
    (self.process, self.orders) = (process, orders)
    let lines = output
    var partial: [UInt8] = []
    source = GRunLoop.DescriptorSource(fileDescriptor: lines, events: [.readable, .hungUp]) { @MainActor source, _ in
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(lines, &bytes, bytes.count)
      if count < 0, errno == EINTR { return }
      if count > 0 { partial += bytes[..<count] }
      while let end = partial.firstIndex(of: 10) {
        let line = String(decoding: partial[..<end], as: UTF8.self)
        partial.removeFirst(end + 1)
        hear(line)
      }
      if count <= 0 {
        source.invalidate()
        close(lines)
      }
    }
    if isStarted == 0 { return nil }
    GRunLoop.main.add(source, forMode: .common)
    let child = GRunLoop.ChildSource(pid: process) { @MainActor [weak self] _, _ in self?.ended() }
    GRunLoop.main.add(child, forMode: .common)
  }

  deinit { close(orders) }

  func tell(_ order: String) {
    let bytes = Array((order + "\n").utf8)
    _ = write(orders, bytes, bytes.count)
  }

  func kill() { if !hasEnded { Glibc.kill(process, SIGKILL) } }

  /// Waits until it has ended.
  func end() async { if !hasEnded { await withCheckedContinuation { ending = $0 } } }

  private func ended() {
    hasEnded = true
    ending?.resume()
    ending = nil
  }
}
