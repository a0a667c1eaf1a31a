import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct DirectoryNamesTests {
  @Test("X3 the names in a directory are those of the ports that are there now", arguments: NamePlace.allCases)
  func names(_ place: NamePlace) async throws {
    try await onLoopThread {
      let (first, second) = (place.name, place.name)
      func known() throws -> [PortName] { try first.directory.names().filter { [first, second].contains($0) } }
      #expect(try known() == [])
      let port = try MessagePort(name: first) { _ in }
      let other = try MessagePort(name: second) { _ in }
      #expect(try known() == [first, second].sorted { $0.rawValue < $1.rawValue })
      #expect(try first.directory.names().allSatisfy { $0.directory == first.directory })
      port.invalidate()
      #expect(try known() == [second])
      other.invalidate()
      #expect(try known() == [])
    }
  }

  @Test("X6 a name that a killed process had is not among them")
  func killed() async throws {
    try await onLoopThread {
      let name = NamePlace.folder.name
      let process = PeerProcess("serve", name.rawValue, scratchFolder)
      #expect(process.line() == "ready")
      let before = try name.directory.names()
      #expect(before.contains(name))
      process.kill()
      let after = try name.directory.names()
      #expect(!after.contains(name))
    }
  }
}
