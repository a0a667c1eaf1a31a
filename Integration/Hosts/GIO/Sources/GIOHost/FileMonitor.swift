import CGio
import GLibRunLoop
import Glibc
import HostKit

/// Which files have come into a folder, told in the mode "files" only.
@MainActor private final class Monitor {
  private let monitor: UnsafeMutablePointer<GFileMonitor>
  private let context = GRunLoop.ForeignContext()
  private(set) var created: [(name: String, mode: GRunLoop.Mode?)] = []
  var onCreated: (Int) -> Void = { _ in }

  init(_ folder: String) {
    let file = g_file_new_for_path(folder)
    defer { g_object_unref(gpointer(file)) }
    // The monitor tells where it was made.
    let made = context.asThreadDefault { g_file_monitor_directory(file, G_FILE_MONITOR_NONE, nil, nil) }
    guard let made else { fail("\(folder) cannot be watched") }
    monitor = made
    let changed: @convention(c) (gpointer, OpaquePointer, OpaquePointer?, GFileMonitorEvent, gpointer) -> Void = {
      _, file, _, event, monitor in
      guard event == G_FILE_MONITOR_EVENT_CREATED else { return }
      let name = g_file_get_basename(file)!
      defer { g_free(name) }
      let text = String(cString: name)
      MainActor.assumeIsolated { Unmanaged<Monitor>.fromOpaque(monitor).takeUnretainedValue().note(text) }
    }
    g_signal_connect_data(
      monitor, "changed", unsafeBitCast(changed, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque(), nil,
      GConnectFlags(rawValue: 0))
    GRunLoop.main.add(context, forMode: "files")
  }

  private func note(_ name: String) {
    created.append((name, GRunLoop.main.currentMode))
    onCreated(created.count)
  }

  func cancel() {
    g_file_monitor_cancel(monitor)
    context.invalidate()
    g_object_unref(monitor)
  }
}

@MainActor func checkFileMonitor(_ drive: Drive) {
  var template = Array("/tmp/grunloop-files-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { fail("no folder could be made in /tmp") }
  let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  let names = (1...5).map { "file \($0)" }
  defer {
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }
  let monitor = Monitor(folder)
  drive.run(mode: .default) { quit in
    for name in names { Glibc.close(creat("\(folder)/\(name)", 0o600)) }
    // The kernel tells in no time; this is time enough for a monitor that does not keep to its mode.
    let pause = GRunLoop.Timer(interval: .milliseconds(200)) { _ in quit() }
    GRunLoop.main.add(pause, forMode: .default)
  }
  check(monitor.created.isEmpty, "\(monitor.created.count) files were told of outside the monitor's mode")
  drive.run(mode: "files") { quit in monitor.onCreated = { if $0 == names.count { quit() } } }
  check(
    monitor.created.map(\.name) == names && monitor.created.allSatisfy { $0.mode == "files" },
    "what was told: \(monitor.created)")
  monitor.cancel()
  print("GFileMonitor, \(drive) drives: \(names.count) files held in other modes, all told in the monitor's")
}
