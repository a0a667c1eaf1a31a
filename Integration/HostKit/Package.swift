// swift-tools-version: 6.2
import PackageDescription

// What hosts in Swift share.
let package = Package(
  name: "HostKit",
  products: [.library(name: "HostKit", targets: ["HostKit"])],
  dependencies: [.package(name: "GLibRunLoop", path: "../..")],
  targets: [
    .target(name: "HostKit", dependencies: [.product(name: "GLibRunLoop", package: "GLibRunLoop")])
  ],
  swiftLanguageModes: [.v6]
)
