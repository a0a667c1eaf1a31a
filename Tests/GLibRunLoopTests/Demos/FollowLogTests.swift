import Glibc
import Testing

@Suite struct FollowLogTests {
  @Test("S5, S7 a log is followed through rotation and truncation, until a signal", arguments: Driver.allCases)
  func follows(_ driver: Driver) throws {
    let folder = ScratchFolder()
    folder.append("ERROR one\ntwo\nthree\n", to: "a")
    let demo = try DemoProcess("FollowLog", driver.arguments + ["-n", "2", "\(folder.path)/a", "\(folder.path)/b"])
    demo.wait(for: "a │ two\na │ three\n")
    folder.append("ERROR four\n", to: "a")
    demo.wait(for: "a │ ERROR four\n")
    folder.append("five\n", to: "b")
    demo.wait(for: "b │ five\n")
    folder.rename("a", to: "a.1")
    folder.append("six, from the old one\n", to: "a.1")
    demo.wait(for: "a │ six, from the old one\n")
    folder.append("seven, from the new one\n", to: "a")
    demo.wait(for: "a │ seven, from the new one\n")
    folder.overwrite("a", with: "eight\n")
    demo.wait(for: "a │ eight\n")
    demo.signal(SIGTERM)
    let result = demo.finish()
    #expect(result.exitCode == 128 + SIGTERM)
    #expect(
      result.output == """
        a │ two
        a │ three
        a │ ERROR four
        b │ five
        a │ six, from the old one
        a │ seven, from the new one
        a │ eight

        """, "and with neither colours nor a status line")
    #expect(result.errors.contains("/b cannot be read: No such file or directory"))
    #expect(result.errors.contains("/a was truncated"))
  }

  @Test("S5 standard input is followed to its end", arguments: Driver.allCases)
  func standardInput(_ driver: Driver) throws {
    let folder = ScratchFolder()
    folder.append("from a file\n", to: "a")
    let demo = try DemoProcess("FollowLog", driver.arguments + ["-", "\(folder.path)/a"])
    demo.type("typed\n")
    demo.wait(for: "stdin │ typed\n")
    demo.wait(for: "a     │ from a file\n")
    demo.signal(SIGINT)
    let result = demo.finish()
    #expect(result.exitCode == 128 + SIGINT)
    #expect(result.errors == "")
  }

  @Test("M2, M6, S7 a pause is a private mode: input waits, keys and signals do not", arguments: Driver.allCases)
  func pauses(_ driver: Driver) throws {
    let folder = ScratchFolder()
    folder.append("before\n", to: "a")
    let terminal = PseudoTerminal(rows: 24, columns: 100)
    let demo = try DemoProcess("FollowLog", driver.arguments + ["\(folder.path)/a"], on: terminal)
    demo.wait(for: "before")
    demo.wait(for: "mode default")
    #expect(!terminal.isEchoing)
    demo.type("p")
    demo.wait(for: "mode paused")
    folder.append("meanwhile\n", to: "a")
    demo.wait(for: "10 B\u{1B}[0;38;5;252;48;5;236m held")
    terminal.resize(rows: 12, columns: 90)
    demo.wait(for: "\u{1B}[1;11r")
    #expect(!demo.text.contains("meanwhile"), "held, although the timer and the signal came")
    demo.type(" ")
    demo.wait(for: "meanwhile")
    demo.forget()
    demo.type("p")
    demo.wait(for: "mode paused")
    demo.type("q")
    let result = demo.finish()
    #expect(result.exitCode == 0)
    #expect(terminal.isEchoing, "the terminal is as it was")
  }
}

extension Driver {
  fileprivate var arguments: [String] { self == .glib ? ["--glib"] : [] }
}
