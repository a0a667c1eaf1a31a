import Glibc
import Testing

@Suite struct FollowLogFilesTests {
  @Test("S5 symbolic links are followed, also when their targets are rotated or changed", arguments: Driver.allCases)
  func links(_ driver: Driver) throws {
    let (folder, elsewhere) = (ScratchFolder(), ScratchFolder())
    elsewhere.append("one\n", to: "app.log")
    symlink(elsewhere.path, "\(folder.path)/logs")
    symlink("logs/app.log", "\(folder.path)/current")
    defer { for name in ["logs", "current"] { unlink("\(folder.path)/\(name)") } }
    let demo = try DemoProcess("FollowLog", (driver == .glib ? ["--glib"] : []) + ["\(folder.path)/current"])
    demo.wait(for: "one\n")
    elsewhere.rename("app.log", to: "app.log.1")
    elsewhere.append("two\n", to: "app.log")
    demo.wait(for: "two\n")
    folder.append("three\n", to: "other.log")
    unlink("\(folder.path)/current")
    symlink("other.log", "\(folder.path)/current")
    demo.wait(for: "three\n")
    demo.signal(SIGTERM)
    #expect(demo.finish().output == "one\ntwo\nthree\n")
  }

  @Test("S5 a last line without an end is shown, goes on in its place, and is kept when the file is truncated")
  func unfinished() throws {
    let folder = ScratchFolder()
    folder.append("one\nno end", to: "a")
    let demo = try DemoProcess("FollowLog", ["\(folder.path)/a"])
    demo.wait(for: "one\nno end")
    folder.append(" yet\nhalf", to: "a")
    demo.wait(for: "no end yet\nhalf")
    folder.overwrite("a", with: "")
    demo.wait(for: "half\n")
    folder.append("last", to: "a")
    demo.wait(for: "last")
    demo.signal(SIGTERM)
    #expect(demo.finish().output == "one\nno end yet\nhalf\nlast\n")
  }

  @Test("S5 another input's line ends one that is unfinished, which goes on under its name")
  func between() throws {
    let folder = ScratchFolder()
    folder.append("begun", to: "a")
    folder.append("", to: "b")
    let demo = try DemoProcess("FollowLog", ["\(folder.path)/a", "\(folder.path)/b"])
    demo.wait(for: "a │ begun")
    folder.append("other\n", to: "b")
    demo.wait(for: "a │ begun\nb │ other\n")
    folder.append(", ended\nnext\n", to: "a")
    demo.wait(for: "a │ next\n")
    demo.signal(SIGTERM)
    #expect(demo.finish().output == "a │ begun\nb │ other\na │ , ended\na │ next\n")
  }

  @Test("S5 lines are cut where they are longer than 65,536 bytes", arguments: [65_536, 65_537, 131_072])
  func long(_ length: Int) throws {
    let folder = ScratchFolder()
    folder.append(String(repeating: "x", count: length) + "\nnext\n", to: "a")
    let demo = try DemoProcess("FollowLog", ["-n", "all", "\(folder.path)/a"])
    demo.wait(for: "next\n")
    demo.signal(SIGTERM)
    let lines = demo.finish().output.split(separator: "\n", omittingEmptySubsequences: false).map(\.utf8.count)
    #expect(lines == [65_536] + (length > 65_536 ? [length - 65_536] : []) + [4, 0])
  }

  @Test("S5 a file whose name is no text is followed through its rotation")
  func name() throws {
    let folder = ScratchFolder()
    let file = Array("\(folder.path)/".utf8) + [0xff, 0x41, 0xc3]
    func withName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
      (file + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
    func put(_ text: String) {
      let stream = withName { fopen($0, "a") }
      fputs(text, stream)
      fclose(stream)
    }
    defer { withName { _ = unlink($0) } }
    put("one\n")
    let demo = try DemoProcess("FollowLog", [], file: file)
    demo.wait(for: "one\n")
    withName { _ = rename($0, "\(folder.path)/old") }
    defer { unlink("\(folder.path)/old") }
    put("two\n")
    demo.wait(for: "two\n")
    demo.signal(SIGTERM)
    let result = demo.finish()
    #expect(result.exitCode == 128 + SIGTERM && result.output == "one\ntwo\n")
  }

  @Test(
    "S5 what cannot be watched is said once, and the file is looked at every second",
    arguments: ["inotify_add_watch", "inotify_init1"])
  func blind(_ call: String) throws {
    let folder = ScratchFolder()
    folder.append("one\n", to: "a")
    let demo = try DemoProcess("FollowLog", ["\(folder.path)/a"], refusing: call)
    demo.wait(for: "one\n")
    folder.append("two\n", to: "a")
    demo.wait(for: "two\n")
    folder.rename("a", to: "a.1")
    folder.append("three\n", to: "a")
    demo.wait(for: "three\n")
    demo.signal(SIGTERM)
    let result = demo.finish()
    let said = result.errors.split(separator: "\n").filter { $0.contains("cannot be watched: Operation not permitted") }
    #expect(said.count == 1 && said[0].contains("looking every second"), "\(result.errors)")
  }
}
