// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Soak",
  dependencies: [.package(name: "GLibRunLoop", path: "../..")],
  targets: [
    .target(name: "CSoak"),
    .executableTarget(
      name: "soak",
      dependencies: [
        "CSoak", .product(name: "GLibRunLoop", package: "GLibRunLoop"),
        .product(name: "ThreadKit", package: "GLibRunLoop"),
      ], path: "Sources/Soak"),
  ],
  swiftLanguageModes: [.v6]
)
