// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GLibRunLoop",
  products: [
    .library(name: "GLibRunLoop", targets: ["GLibRunLoop"]),
    .library(name: "RunLoopFoundation", targets: ["RunLoopFoundation"]),
    .library(name: "RunLoopGIO", targets: ["RunLoopGIO"]),
    // For C: see Sources/CGRunLoop/include/grunloop.h.
    .library(name: "grunloop", type: .dynamic, targets: ["RunLoopC"]),
    // For programs whose main context is iterated by others. One that cannot be changed is started with the same in a
    // library of C alone, which Scripts/build-preload makes: the package manager links Swift's runtime into each of its own.
    .library(name: "RunLoopMainQueue", type: .dynamic, targets: ["RunLoopMainQueue"]),
    .library(name: "RunLoopInspector", targets: ["RunLoopInspector"]),
    .library(name: "RunLoopInstruments", targets: ["RunLoopInstruments"]),
    .library(name: "RunLoopNotifications", targets: ["RunLoopNotifications"]),
    .library(name: "RunLoopPorts", targets: ["RunLoopPorts"]),
    // Empty but for a hint without the trait Sysprof.
    .library(name: "RunLoopSysprof", targets: ["RunLoopSysprof"]),
    // For the packages in Integration, not for users.
    .library(name: "ThreadKit", targets: ["ThreadKit"]),
  ],
  traits: [
    // A trait, since what is linked with the product needs Sysprof's static library, and snippets are linked with all.
    .trait(name: "Sysprof", description: "Fills RunLoopSysprof, which needs libsysprof-capture-4 where it is linked")
  ],
  targets: [
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    // GObject's flags find GIO, too; GIO's own hold one that the package manager warns of.
    .systemLibrary(name: "CGio", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(name: "CRunLoopShims", dependencies: ["CGLib"]),
    .target(name: "GLibRunLoop", dependencies: ["CGLib", "CRunLoopShims"]),
    .target(name: "CGRunLoop", dependencies: ["CGLib"]),
    .target(
      name: "RunLoopC", dependencies: ["CGLib", "CGRunLoop", "CRunLoopShims", "GLibRunLoop", "RunLoopInstruments"]),
    .target(name: "RunLoopFoundation", dependencies: ["CFoundationRunLoop", "CGLib", "GLibRunLoop"]),
    .target(name: "CFoundationRunLoop"),
    .target(name: "RunLoopGIO", dependencies: ["CGio", "GLibRunLoop"]),
    // In C, and without CGLib: it must not bring GLib into a process.
    .target(name: "RunLoopMainQueue"),
    .target(name: "RunLoopInspector", dependencies: ["GLibRunLoop", "RunLoopInstruments", "RunLoopPorts"]),
    .target(name: "RunLoopInstruments", dependencies: ["CGLib", "CRunLoopShims", "GLibRunLoop"]),
    .target(name: "RunLoopNotifications", dependencies: ["GLibRunLoop", "CGLib", "CGio"]),
    .target(name: "RunLoopPorts", dependencies: ["GLibRunLoop", "CPortShims"]),
    .target(name: "CPortShims", dependencies: ["CGLib"]),
    .target(
      name: "RunLoopSysprof",
      dependencies: [
        .target(name: "CSysprof", condition: .when(traits: ["Sysprof"])), "GLibRunLoop", "RunLoopInstruments",
      ]),
    // Without pkg-config, whose flags for it hold one that the package manager warns of.
    .systemLibrary(name: "CSysprof"),
    // Tests only: stands between the library and the kernel.
    .target(name: "CFaults", dependencies: ["CRunLoopShims", "CPortShims"], path: "Tests/CFaults"),
    // Threads, and what they share, for tests and the programs that these run.
    .target(name: "ThreadKit", path: "Tests/ThreadKit"),
    .target(name: "TestKit", dependencies: ["CGLib", "GLibRunLoop", "ThreadKit"], path: "Tests/TestKit"),
    // What needs the process's first thread, which a test never has, or a limit or a fate of the process's own: a program
    // that tests run as a process.
    .executableTarget(
      name: "MainThreadScenarios",
      dependencies: ["GLibRunLoop", "RunLoopFoundation", "RunLoopGIO", "CGLib", "CGio", "CFaults", "ThreadKit"],
      path: "Tests/MainThreadScenarios"),
    // Programs that tests run as a process, too. What a test target depends on is linked into it, and these must not be.
    .executableTarget(
      name: "AsyncMainProgram", dependencies: ["GLibRunLoop", "CGLib", "CRunLoopShims"], path: "Tests/AsyncMainProgram"),
    // Runs another program under a kernel that refuses a call.
    .executableTarget(name: "Refuse", path: "Tests/Refuse"),
    .executableTarget(name: "PlainHost", dependencies: ["CGLib"], path: "Tests/PlainHost"),
    .executableTarget(name: "LinkedHost", dependencies: ["CGLib", "RunLoopMainQueue"], path: "Tests/LinkedHost"),
    .executableTarget(
      name: "NotificationPeer", dependencies: ["RunLoopNotifications", "GLibRunLoop"], path: "Tests/NotificationPeer"),
    // The other process of the tests of named ports.
    .executableTarget(
      name: "PortPeer", dependencies: ["GLibRunLoop", "RunLoopPorts", "CPortShims", "CGLib"], path: "Tests/PortPeer"),
    // What needs the environment, signals or the death of a process to be seen.
    .executableTarget(
      name: "InstrumentsProgram", dependencies: ["GLibRunLoop", "RunLoopInstruments", "CGLib", "ThreadKit"],
      path: "Tests/InstrumentsProgram"),
    .target(name: "DemoKit", dependencies: ["CGLib"], path: "Demos/DemoKit"),
    .executableTarget(name: "FollowLog", dependencies: ["DemoKit", "GLibRunLoop", "CGLib"], path: "Demos/FollowLog"),
    .executableTarget(
      name: "LoopTop",
      dependencies: ["DemoKit", "GLibRunLoop", "RunLoopInspector", "RunLoopInstruments", "RunLoopPorts", "CGLib"],
      path: "Demos/LoopTop"),
    .executableTarget(name: "PassTimeline", dependencies: ["GLibRunLoop", "CGLib"], path: "Demos/PassTimeline"),
    .executableTarget(
      name: "Switchboard",
      dependencies: [
        "DemoKit", "GLibRunLoop", "RunLoopInspector", "RunLoopInstruments", "RunLoopNotifications", "RunLoopPorts",
        "CGLib",
      ], path: "Demos/Switchboard"),
    .executableTarget(name: "Thumbnails", dependencies: ["GLibRunLoop", "CGLib"], path: "Demos/Thumbnails"),
    .testTarget(
      name: "GLibRunLoopTests",
      dependencies: [
        "GLibRunLoop", "RunLoopFoundation", "RunLoopGIO", "CGLib", "CGio", "CFaults", "MainThreadScenarios",
        "FollowLog", "PassTimeline", "TestKit", "Thumbnails",
      ]),
    .testTarget(
      name: "RunLoopNotificationsTests",
      dependencies: ["RunLoopNotifications", "GLibRunLoop", "CGLib", "CGio", "TestKit"]),
    // Runs C programs, which are compiled with the system's compiler against the header and the library.
    .testTarget(name: "RunLoopCTests", dependencies: ["RunLoopC"], exclude: ["Programs"]),
    .testTarget(
      name: "RunLoopInspectorTests",
      dependencies: [
        "RunLoopInspector", "GLibRunLoop", "RunLoopInstruments", "RunLoopPorts", "CGLib", "LoopTop", "TestKit",
      ]),
    // Instruments that look at the whole process have a process of their own.
    .testTarget(
      name: "RunLoopInstrumentsTests",
      dependencies: ["GLibRunLoop", "RunLoopInstruments", "CFaults", "CGLib", "TestKit"]),
    .testTarget(
      name: "RunLoopPortsTests",
      dependencies: ["GLibRunLoop", "RunLoopPorts", "CPortShims", "CGLib", "CFaults", "TestKit"]),
  ],
  swiftLanguageModes: [.v6]
)
