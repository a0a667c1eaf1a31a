// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GTK4Host",
  dependencies: [.package(name: "GLibRunLoop", path: "../../..")],
  targets: [
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .executableTarget(
      name: "GTK4Host", dependencies: ["CGtk", .product(name: "GLibRunLoop", package: "GLibRunLoop")]),
  ],
  swiftLanguageModes: [.v6]
)
