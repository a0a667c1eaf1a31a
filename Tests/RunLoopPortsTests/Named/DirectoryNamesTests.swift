import GLibRunLoop
import RunLoopPorts
import Testing

@Suite struct DirectoryNamesTests {
  @Test("X3 the names in a directory are those of the ports that are there now", arguments: NamePlace.allCases)
  func names(_ place: NamePlace) async throws {
    try await onLoopThread {
      let (first, second) = (place.name, place.name)
      /// The kernel's list may leave out what stands beside a socket that others open or close just now; and a process
      /// that is being forked has all that its maker had.
      func are(_ names: [PortName]) -> Bool {
        eventually { (try? first.directory.names().filter { [first, second].contains($0) }) == names }
      }
      #expect(are([]))
      let port = try MessagePort(name: first) { _ in }
      let other = try MessagePort(name: second) { _ in }
      #expect(are([first, second].sorted { $0.rawValue < $1.rawValue }))
      #expect(try first.directory.names().allSatisfy { $0.directory == first.directory })
      port.invalidate()
      #expect(are([second]))
      other.invalidate()
      #expect(are([]))
    }
  }

  @Test("X6 a name that a killed process had is not among them")
  func killed() async throws {
    try await onLoopThread {
      let name = NamePlace.folder.name
      let process = PeerProcess("serve", name.rawValue, scratchFolder)
      #expect(process.line() == "ready")
      #expect(eventually { (try? name.directory.names().contains(name)) == true })
      process.kill()
      #expect(eventually { (try? name.directory.names().contains(name)) == false })
    }
  }
}
