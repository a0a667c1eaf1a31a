import Dispatch

@MainActor private var ticks: CInt = 0

@_cdecl("plugin_start") public func start() {
  Task { @MainActor in
    while true {
      ticks += 1
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

@_cdecl("plugin_count") public func count() -> CInt { MainActor.assumeIsolated { ticks } }
