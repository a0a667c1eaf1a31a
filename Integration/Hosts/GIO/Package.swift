// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GIOHost",
  dependencies: [.package(name: "GLibRunLoop", path: "../../.."), .package(path: "../../HostKit")],
  targets: [
    .executableTarget(
      name: "GIOHost",
      dependencies: [
        .product(name: "GLibRunLoop", package: "GLibRunLoop"), .product(name: "RunLoopGIO", package: "GLibRunLoop"),
        "HostKit",
      ])
  ],
  swiftLanguageModes: [.v6]
)
