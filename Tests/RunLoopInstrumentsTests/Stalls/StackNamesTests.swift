import Foundation
import GLibRunLoop
import Testing

@Suite struct StackNamesTests {
  @Test(
    "H4 a stack's names are those of the file that was loaded, or none",
    .enabled(if: !hasThreadSanitizer, "a thread is interrupted in its runtime, where no stack is taken"),
    arguments: [
      ([], [true, true]), (["strip plugin.so"], [false, true]), (["gcc -shared -o other.so other.c"], [false, false]),
    ] as [([String], [Bool])])
  func names(_ preparation: [String], _ known: [Bool]) async throws {
    try await onLoopThread {
      let scratch = TraceScratch()
      let source = """
        static __attribute__((noinline)) void hidden(void) { for (volatile long i = 0; i < 100000; i++) {} }
        void work(void) { for (int i = 0; i < 1000; i++) hidden(); }
        """
      try source.write(toFile: scratch.path("plugin.c"), atomically: true, encoding: .utf8)
      let other = (0..<200).map { "void wrong\($0)(void) { for (volatile int i = 0; i < \($0); i++) {} }\n" }.joined()
      try other.write(toFile: scratch.path("other.c"), atomically: true, encoding: .utf8)
      for command in ["gcc -O1 -fPIC -shared -o plugin.so plugin.c"] + preparation {
        let shell = try ChildProgram("/bin/sh", ["-c", "cd \(scratch.folder.path) && \(command)"])
        #expect(shell.finish() == 0)
      }
      let isReplaced = preparation.contains { $0.contains("other") }
      let program = try ChildProgram(
        scenario: "hangs-in-plugin", [scratch.path("plugin.so")] + (isReplaced ? [scratch.path("other.so")] : []))
      var lines: [String] = []
      while let line = program.line(), !line.isEmpty { lines.append(line) }
      #expect(program.finish() == 0)
      let own = lines.filter { $0.contains("plugin.so") }
      #expect(own.count == 2, "\(lines)")
      #expect(own.map { $0.contains("hidden") || $0.contains("work") } == known, "\(own)")
      #expect(!own.contains { $0.contains("wrong") || $0.contains("InstrumentsProgram") }, "\(own)")
    }
  }
}
