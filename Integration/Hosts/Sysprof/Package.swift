// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SysprofHost",
  dependencies: [.package(name: "GLibRunLoop", path: "../../..", traits: ["Sysprof"])],
  targets: [
    .executableTarget(
      name: "SysprofHost",
      dependencies: [
        .product(name: "GLibRunLoop", package: "GLibRunLoop"),
        .product(name: "RunLoopSysprof", package: "GLibRunLoop"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
