import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

@Suite struct PortNamesTests {
  @Test(
    "X3 a taken name is an error, in this process and in others; it is free once its port is invalid",
    arguments: NamePlace.allCases)
  func taken(_ place: NamePlace) async throws {
    try await onLoopThread {
      let name = place.name
      let port = try MessagePort(name: name) { _ in }
      #expect(throws: PortFailure.nameTaken(name.rawValue)) { try MessagePort(name: name) { _ in } }
      port.invalidate()
      #expect(throws: PortFailure.notFound(name.rawValue)) { try RemotePort(name, on: .current) }
      let process =
        place == .folder ? PeerProcess("serve", name.rawValue, scratchFolder) : PeerProcess("serve", name.rawValue)
      #expect(process.line() == "ready")
      #expect(throws: PortFailure.nameTaken(name.rawValue)) { try MessagePort(name: name) { _ in } }
      process.kill()
      let next = try MessagePort(name: name) { _ in }
      next.invalidate()
    }
  }

  @Test("X3 a name that nobody has is not found; what cannot be a name is refused", arguments: NamePlace.allCases)
  func refused(_ place: NamePlace) async throws {
    try await onLoopThread {
      let name = place.name
      #expect(throws: PortFailure.notFound(name.rawValue)) { try RemotePort(name, on: .current) }
      for text in ["", "a/b", "a\0b", String(repeating: "n", count: 65)] {
        let bad = PortName(text, in: name.directory)
        do {
          _ = try MessagePort(name: bad) { _ in }
          Issue.record("\(text) was taken for a name")
        } catch PortFailure.badName {}
        do {
          _ = try RemotePort(bad, on: .current)
          Issue.record("\(text) was looked for")
        } catch PortFailure.badName {}
      }
    }
  }

  @Test("X6 the name of a process that crashed can be taken at once", arguments: NamePlace.allCases)
  func reclaimed(_ place: NamePlace) async throws {
    try await onLoopThread {
      let name = place.name
      for _ in 0..<3 {
        let process =
          place == .folder ? PeerProcess("serve", name.rawValue, scratchFolder) : PeerProcess("serve", name.rawValue)
        #expect(process.line() == "ready")
        #expect(throws: PortFailure.nameTaken(name.rawValue)) { try MessagePort(name: name) { _ in } }
        process.kill()
        #expect(throws: PortFailure.notFound(name.rawValue)) { try RemotePort(name, on: .current) }
      }
      let port = try MessagePort(name: name) { _ in }
      let remote = try RemotePort(name, on: .current)
      try remote.send(PortMessage(id: 1))
      port.invalidate()
    }
  }

  @Test("X5 a folder that others can enter is refused")
  func openFolder() async throws {
    try await onLoopThread {
      let folder = scratchFolder + "/open"
      mkdir(folder, 0o755)
      chmod(folder, 0o755)
      defer { rmdir(folder) }
      do {
        _ = try MessagePort(name: PortName("a", in: .folder(folder))) { _ in }
        Issue.record("it was used")
      } catch PortFailure.badName {}
    }
  }
}
