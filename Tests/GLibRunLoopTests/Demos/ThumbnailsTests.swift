import Glibc
import Testing

@Suite struct ThumbnailsTests {
  @Test(
    "A1, A3, A5 pictures are drawn and shrunk in the background, and the loop stays awake", arguments: Driver.allCases)
  func whole(_ driver: Driver) throws {
    let result = try DemoProcess("Thumbnails", driver.arguments + ["--count", "6", "--size", "120x80"]).finish()
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n")
    // Two of them may be done in another order than they were begun in.
    #expect(Set(lines.prefix(6).map { $0.prefix(13) }) == Set((1...6).map { "picture-\($0).ppm" }))
    #expect(lines[5].hasSuffix("is done, 6 of 6"))
    #expect(lines[6].hasPrefix("6 thumbnails in "))
    #expect(lines[7].hasPrefix("The loop's longest stall was "))
    #expect(lines.count == 8)
    #expect(!result.output.contains("\u{1B}"), "a pipe is no terminal")
  }

  @Test("A1 a picture that cannot be read is told of, and the others are done", arguments: Driver.allCases)
  func unreadable(_ driver: Driver) throws {
    let folder = ScratchFolder()
    folder.append("P6 # two points\n2 1 255\nabcdef", to: "good.ppm")
    folder.append("P5 1 1 255\na", to: "grey.ppm")
    folder.append("P6 2 1 255\nabc", to: "short.ppm")
    let result = try DemoProcess("Thumbnails", driver.arguments + [folder.path]).finish()
    #expect(result.exitCode == 1)
    #expect(result.output.contains("good.ppm is done, 1 of 3\n"))
    #expect(result.errors.contains("/grey.ppm is not a picture"))
    #expect(result.errors.contains("/short.ppm ends in the middle"))
    #expect(folder.remove("thumbnails", inside: "good.ppm") == "P6\n2 1\n255\nabcdef")
  }

  @Test("A4, S7 Ctrl-C cancels, leaves the terminal as it was, and tells what was done", arguments: Driver.allCases)
  func interrupted(_ driver: Driver) throws {
    let terminal = PseudoTerminal(rows: 24, columns: 80)
    let arguments = ["--count", "500", "--size", "400x300", "--at-once", "2"]
    let demo = try DemoProcess("Thumbnails", driver.arguments + arguments, on: terminal)
    demo.wait(for: "Drawing")
    demo.forget()
    terminal.resize(rows: 24, columns: 26)
    demo.wait(for: "\u{1B}[J")
    demo.type("\u{3}")
    let result = demo.finish()
    #expect(result.exitCode == 128 + SIGINT)
    #expect(result.output.contains("\r\u{1B}[2KStopped by Ctrl-C"), "in the place of the bar")
  }
}

extension Driver {
  fileprivate var arguments: [String] { self == .glib ? ["--glib"] : [] }
}
