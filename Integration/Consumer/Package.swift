// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "GLibRunLoop", path: "../..")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: ["GLibRunLoop", "RunLoopFoundation", "RunLoopGIO", "RunLoopNotifications", "RunLoopPorts"].map {
        .product(name: $0, package: "GLibRunLoop")
      })
  ],
  swiftLanguageModes: [.v6]
)
