extension GRunLoop: CustomDebugStringConvertible {
  /// The loop, its modes and what is in them, for a person. (`CFCopyDescription` of a run loop)
  public var debugDescription: String {
    if isForked { return "GRunLoop of the process that this one was forked from" }
    return lock.withLock {
      var lines = ["GRunLoop in context \(context)\(hasEnded ? ", ended" : isSleeping ? ", waiting" : "")"]
      let running = activations.last.map { "\($0.scope.state.mode)" }
      lines.append("  current mode: \(running ?? "none; \(hostModeState.mode) when GLib drives")")
      lines.append("  common modes: \(commonModes.map(\.description).sorted().joined(separator: ", "))")
      for state in [common] + modes.values.sorted(by: { $0.mode.description < $1.mode.description }) {
        lines.append("  mode \(state.mode): \(state.itemCount) items\(state.hasPerforms ? ", performs queued" : "")")
        for item in state.items.sorted(by: { ($0.order, $0.sequence) < ($1.order, $1.sequence) }) {
          let name = item.name.map { " \"\($0)\"" } ?? ""
          lines.append("    \(item.summary)\(name), order \(item.order)")
        }
      }
      return lines.joined(separator: "\n")
    }
  }
}
