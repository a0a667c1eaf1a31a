// swift-tools-version: 6.2
import PackageDescription

let fuzzed: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer"])]
let linked: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]

// What reads bytes of other processes, under libFuzzer. The sources are the library's, compiled anew for it.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "GLibRunLoop", path: "../..")],
  targets: [
    .target(name: "CFuzzer"),
    .plugin(name: "LibrarySources", capability: .buildTool()),
    .executableTarget(
      name: "FrameFuzz", dependencies: ["CFuzzer"], swiftSettings: fuzzed, linkerSettings: linked,
      plugins: ["LibrarySources"]),
    .executableTarget(
      name: "NotificationFuzz", dependencies: ["CFuzzer", .product(name: "RunLoopGIO", package: "GLibRunLoop")],
      swiftSettings: fuzzed, linkerSettings: linked, plugins: ["LibrarySources"]),
  ],
  swiftLanguageModes: [.v6]
)
