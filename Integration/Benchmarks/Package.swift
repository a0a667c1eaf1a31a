// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "GLibRunLoop", path: "../..")],
  targets: [
    .target(name: "BenchSupport"),
    .executableTarget(
      name: "grunloop",
      dependencies: [
        "BenchSupport", .product(name: "GLibRunLoop", package: "GLibRunLoop"),
        .product(name: "RunLoopPorts", package: "GLibRunLoop"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
