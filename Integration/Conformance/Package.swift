// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Conformance",
  dependencies: [.package(name: "GLibRunLoop", path: "../..")],
  targets: [
    .target(name: "VirtualTime"),
    .target(
      name: "Conformance", dependencies: ["VirtualTime", .product(name: "GLibRunLoop", package: "GLibRunLoop")]),
    .executableTarget(name: "conform", dependencies: ["Conformance"]),
    .testTarget(name: "ConformanceTests", dependencies: ["Conformance"]),
  ],
  swiftLanguageModes: [.v6]
)
