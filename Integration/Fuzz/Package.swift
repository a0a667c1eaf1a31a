// swift-tools-version: 6.2
import PackageDescription

// What reads bytes of other processes, under libFuzzer. The sources are the library's.
let package = Package(
  name: "Fuzz",
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "FrameFuzz", dependencies: ["CFuzzer"],
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ],
  swiftLanguageModes: [.v6]
)
