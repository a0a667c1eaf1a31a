// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GLibRunLoop",
  products: [
    .library(name: "GLibRunLoop", targets: ["GLibRunLoop"])
  ],
  targets: [
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(name: "CRunLoopShims", dependencies: ["CGLib"]),
    .target(name: "GLibRunLoop", dependencies: ["CGLib", "CRunLoopShims"]),
    .testTarget(name: "GLibRunLoopTests", dependencies: ["GLibRunLoop", "CGLib"]),
  ],
  swiftLanguageModes: [.v6]
)
