import Foundation
import PackagePlugin

/// Gives a fuzzer the library's files that it is about: they are compiled as the fuzzer's own, since only what is compiled
/// for it tells it which way an input took.
@main struct LibrarySources: BuildToolPlugin {
  private static let files = [
    "FrameFuzz": ["RunLoopPorts/Internals/Frame.swift"],
    "NotificationFuzz": [
      "RunLoopNotifications/Distributed/PropertyList.swift", "RunLoopNotifications/Distributed/WireFormat.swift",
    ],
  ]

  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let sources = context.package.directoryURL.appending(path: "../../Sources").standardizedFileURL
    return Self.files[target.name, default: []].map { file in
      let source = sources.appending(path: file)
      let copy = context.pluginWorkDirectoryURL.appending(path: source.lastPathComponent)
      return .buildCommand(
        displayName: "Copying \(file)", executable: URL(filePath: "/bin/cp"), arguments: [source.path, copy.path],
        inputFiles: [source], outputFiles: [copy])
    }
  }
}
