// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GStreamerHost",
  dependencies: [.package(name: "GLibRunLoop", path: "../../.."), .package(path: "../../HostKit")],
  targets: [
    .systemLibrary(
      name: "CGStreamer", pkgConfig: "gstreamer-1.0", providers: [.apt(["libgstreamer1.0-dev"])]),
    .executableTarget(
      name: "GStreamerHost",
      dependencies: ["CGStreamer", .product(name: "GLibRunLoop", package: "GLibRunLoop"), "HostKit"]),
  ],
  swiftLanguageModes: [.v6]
)
