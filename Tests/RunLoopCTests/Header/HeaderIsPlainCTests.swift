import Testing

@Suite struct HeaderIsPlainCTests {
  @Test(
    "G1 the header alone compiles, without a warning, in old and new C and in C++", arguments: ["c99", "c17", "c++17"])
  func compiles(_ standard: String) async throws {
    let flags = try await pkgConfig("--cflags", "glib-2.0")
    let language = standard.hasPrefix("c++") ? "c++" : "c"
    let compiler = language == "c" ? "/usr/bin/gcc" : "/usr/bin/g++"
    let result = try await command(
      compiler,
      [
        "-std=" + standard, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-include",
        Places.headers + "/grunloop.h", "-x", language,
      ]
        + flags.map { $0.replacing("-I", with: "-isystem", maxReplacements: 1) } + ["/dev/null"])
    #expect(result.status == 0, "\(result.output)")
  }
}
