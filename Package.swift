// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GLibRunLoop",
  products: [
    .library(name: "GLibRunLoop", targets: ["GLibRunLoop"])
  ],
  targets: [
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    // For tests only. GObject's flags find GIO, too; GIO's own hold one that the package manager warns of.
    .systemLibrary(name: "CGio", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(name: "CRunLoopShims", dependencies: ["CGLib"]),
    .target(name: "GLibRunLoop", dependencies: ["CGLib", "CRunLoopShims"]),
    // Tests only: stands between the library and the kernel.
    .target(name: "CFaults", dependencies: ["CRunLoopShims"], path: "Tests/CFaults"),
    // What needs the process's first thread, which a test never has, or a limit or a fate of the process's own: a program
    // that tests run as a process.
    .executableTarget(
      name: "MainThreadScenarios", dependencies: ["GLibRunLoop", "CGLib", "CGio", "CFaults"],
      path: "Tests/MainThreadScenarios"),
    .executableTarget(name: "FollowLog", dependencies: ["GLibRunLoop", "CGLib"], path: "Demos/FollowLog"),
    .executableTarget(name: "PassTimeline", dependencies: ["GLibRunLoop", "CGLib"], path: "Demos/PassTimeline"),
    .executableTarget(name: "Thumbnails", dependencies: ["GLibRunLoop", "CGLib"], path: "Demos/Thumbnails"),
    .testTarget(
      name: "GLibRunLoopTests",
      dependencies: [
        "GLibRunLoop", "CGLib", "CFaults", "MainThreadScenarios", "FollowLog", "PassTimeline", "Thumbnails",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
