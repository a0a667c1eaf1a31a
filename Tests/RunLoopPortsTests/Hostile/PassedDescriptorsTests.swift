import CPortShims
import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

@Suite struct PassedDescriptorsTests {
  /// Sends one packet to a port; returns what the port said, and how many descriptors it left open.
  private func outcome(of packet: [UInt8], with descriptors: [CInt]) throws -> (warnings: [String], calls: Int) {
    let name = NamePlace.abstract.name
    var calls = 0
    let port = try MessagePort(name: name) { _ in calls += 1 }
    GRunLoop.current.add(port, forMode: .default)
    let peer = RawPeer(name)
    #expect(peer.send(packet, descriptors: descriptors))
    let warnings = CapturedWarnings.during {
      let end = GRunLoop.Instant.now + .seconds(30)
      while !peer.isClosed, calls == 0, .now < end { GRunLoop.current.run(until: .distantPast) }
    }
    port.invalidate()
    return (warnings, calls)
  }

  /// Whether the far end of a pipe is open nowhere, so that nobody kept what was passed.
  private func isGone(_ reader: CInt) -> Bool {
    var byte: UInt8 = 0
    return read(reader, &byte, 1) == 0
  }

  @Test(
    "X5 descriptors that nothing announced, or too many of them, are closed, and so is the connection",
    arguments: [1, 2, 3, 200])
  func unannounced(_ count: Int) async throws {
    try await onLoopThread {
      var ends: [CInt] = [-1, -1]
      pipe(&ends)
      gps_set_non_blocking(ends[0])
      let passed = [CInt](repeating: ends[1], count: count)
      let result = try outcome(of: RawPeer.packet(), with: passed)
      #expect(result.calls == 0 && result.warnings.count == 1)
      let announced = try outcome(of: RawPeer.packet(flags: 1, count: 1, total: 5, lengths: [5]), with: passed)
      #expect(announced.calls == 0 && announced.warnings.count == 1)
      close(ends[1])
      #expect(isGone(ends[0]))
      close(ends[0])
    }
  }

  @Test("X5 memory that its sender could still change, or that is shorter than announced, is refused")
  func memory() async throws {
    try await onLoopThread {
      let bytes = [UInt8](repeating: 1, count: 100)
      let packet = RawPeer.packet(flags: 1, count: 1, total: 100, lengths: [100])
      for (size, isSealed, isTaken) in [(100, false, false), (99, true, false), (0, true, false), (100, true, true)] {
        let memory = gps_memory_create()
        write(memory, bytes, size)
        if isSealed { gps_memory_seal(memory) }
        let result = try outcome(of: packet, with: [memory])
        #expect(result.calls == (isTaken ? 1 : 0) && result.warnings.count == (isTaken ? 0 : 1), "\(size) \(isSealed)")
        close(memory)
      }
      // What would block whoever reads it.
      var ends: [CInt] = [-1, -1]
      pipe(&ends)
      let result = try outcome(of: packet, with: [ends[0]])
      #expect(result.calls == 0 && result.warnings.count == 1)
      for end in ends { close(end) }
    }
  }
}
