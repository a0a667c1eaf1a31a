import DemoKit
import GLibRunLoop
import Glibc

/// Standard input, or a named pipe: what can be read but once, until it ends.
@MainActor final class FollowedStream {
  private static let chunk = 1 << 16

  private let descriptor: CInt
  private let emit: @MainActor (LineSplitter.Piece) -> Void
  private let source: GRunLoop.DescriptorSource
  private var splitter = LineSplitter()

  /// - Parameters:
  ///   - read: Called when something was read.
  ///   - ended: Called once, with the reason if it is not a plain end.
  init?(
    _ descriptor: CInt, loop: GRunLoop, emit: @escaping @MainActor (LineSplitter.Piece) -> Void,
    read: @escaping @MainActor () -> Void, ended: @escaping @MainActor (String?) -> Void
  ) {
    self.descriptor = descriptor
    self.emit = emit
    var reading: (@MainActor () -> Void)?
    source = GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: .readable) { _, _ in reading?() }
    reading = { [weak self] in self?.readPiece(read, ended) }
    if !loop.add(source, forMode: .common) { return nil }
  }

  var hasUnfinishedLine: Bool { !splitter.isEmpty }

  func giveUnfinishedLine() { splitter.giveUnfinished(emit) }

  /// There will be no more.
  func end() { splitter.flush(emit) }

  /// What waits in the pipe.
  var held: Int {
    var count: CInt = 0
    return source.isValid && ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  private func readPiece(_ hasRead: () -> Void, _ ended: (String?) -> Void) {
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      let got = read(descriptor, buffer.baseAddress, Self.chunk)
      code = got < 0 ? errno : 0
      count = max(0, got)
    }
    if !bytes.isEmpty {
      splitter.append(bytes, emit)
      return hasRead()
    }
    if code == EAGAIN || code == EINTR { return }
    splitter.flush(emit)
    source.invalidate()
    ended(code == 0 ? nil : Text.reason(code))
  }
}
