import Glibc
import Testing

@Suite struct ExamplesOfPagesTests {
  @Test(
    "every line of code on these pages is in an example that is compiled",
    arguments: ["Concurrency", "BackgroundWork", "TestingWithTheManualClock", "Examples"])
  func compiled(_ page: String) throws {
    let examples = Set(
      [
        "GLibRunLoopTests/Examples/ConcurrencyExamples", "GLibRunLoopTests/Examples/BackgroundExamples",
        "GLibRunLoopTests/Examples/ManualClockExamples", "GLibRunLoopTests/Examples/ObservedThreadExample",
        "GLibRunLoopTests/Examples/ThreadSkeletonExample", "GLibRunLoopTests/Examples/TimersExample",
        "MainThreadScenarios/AwaitedDownload", "MainThreadScenarios/Examples/CommandBufferExample",
        "RunLoopNotificationsTests/Examples/CanvasExample", "RunLoopNotificationsTests/Examples/EditorExample",
      ].flatMap { Self.lines(of: "Tests/\($0).swift") })
    var isCode = false
    var count = 0
    for line in Self.lines(of: "Sources/GLibRunLoop/GLibRunLoop.docc/\(page).md") {
      if line.hasPrefix("```") {
        isCode = line == "```swift"
      } else if isCode && !line.isEmpty {
        count += 1
        #expect(examples.contains(line))
      }
    }
    #expect(count > 10)
  }

  /// Without the indentation. The paths begin where the package is.
  private static func lines(of path: String) -> [Substring] {
    let package = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    guard let file = fopen("\(package)/\(path)", "r") else { return [] }
    defer { fclose(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { text += buffer[..<count] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
  }
}
