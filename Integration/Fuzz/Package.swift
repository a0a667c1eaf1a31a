// swift-tools-version: 6.2
import PackageDescription

let fuzzed: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer"])]
let linked: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]

// What reads bytes of other processes, under libFuzzer. The sources are the library's.
let package = Package(
  name: "Fuzz",
  targets: [
    .target(name: "CFuzzer"),
    .systemLibrary(name: "CGio", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .executableTarget(name: "FrameFuzz", dependencies: ["CFuzzer"], swiftSettings: fuzzed, linkerSettings: linked),
    .executableTarget(
      name: "NotificationFuzz", dependencies: ["CFuzzer", "CGio"], swiftSettings: fuzzed, linkerSettings: linked),
  ],
  swiftLanguageModes: [.v6]
)
