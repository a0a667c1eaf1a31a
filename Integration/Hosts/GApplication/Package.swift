// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SwiftSide",
  products: [.library(name: "SwiftSide", type: .dynamic, targets: ["SwiftSide"])],
  targets: [.target(name: "SwiftSide")],
  swiftLanguageModes: [.v6]
)
