// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "GLibRunLoop", path: "../..")],
  targets: [
    .target(name: "BenchSupport"),
    .executableTarget(
      // Not the library's own name for C, which is a product of the package.
      name: "grunloop-bench",
      dependencies: [
        "BenchSupport", .product(name: "GLibRunLoop", package: "GLibRunLoop"),
        .product(name: "RunLoopPorts", package: "GLibRunLoop"),
      ], path: "Sources/grunloop"),
  ],
  swiftLanguageModes: [.v6]
)
