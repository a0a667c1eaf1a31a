extension Scenario {
  /// The scenario as one would write it in Swift.
  var source: String {
    let items = items.map { "    \($0.source)," }.joined(separator: "\n")
    let happenings = happenings.map { "Happening(at: \($0.slot), \(list($0.ops)))" }.joined(separator: ", ")
    return """
      Scenario(
        items: [
      \(items)
        ],
        steps: \(list(steps))\(happenings.isEmpty ? "" : ",\n  happenings: [\(happenings)]"))
      """
  }
}

private func list(_ ops: [Op]) -> String { "[" + ops.map(\.source).joined(separator: ", ") + "]" }

extension Item {
  fileprivate var source: String { "Item(" + ([kind.source] + calls.map(list)).joined(separator: ", ") + ")" }
}

extension Item.Kind {
  fileprivate var source: String {
    switch self {
    case .source(let order): ".source(\(order == 0 ? "" : "order: \(order)"))"
    case .timer(let slot, let every, let order):
      ".timer(at: \(slot)" + (every.map { ", every: \($0)" } ?? "") + (order == 0 ? ")" : ", order: \(order))")
    case .observer(let activities, let order, let repeats):
      ".observer(of: \(activities.source)" + (order == 0 ? "" : ", order: \(order)")
        + (repeats ? ")" : ", repeats: false)")
    case .perform(let modes): ".perform([" + modes.map { ".\($0)" }.joined(separator: ", ") + "])"
    }
  }
}

extension Activities {
  fileprivate var source: String {
    if self == .all { return ".all" }
    let names = Self.names.filter { contains($0.0) }.map { "." + $0.1 }
    return names.count == 1 ? names[0] : "[" + names.joined(separator: ", ") + "]"
  }
}

extension Limit {
  fileprivate var source: String {
    switch self {
    case .zero: ".zero"
    case .slot(let slot): ".slot(\(slot))"
    case .never: ".never"
    }
  }
}

extension Op {
  fileprivate var source: String {
    switch self {
    case .add(let item, let mode): ".add(\(item), .\(mode))"
    case .remove(let item, let mode): ".remove(\(item), .\(mode))"
    case .invalidate(let item): ".invalidate(\(item))"
    case .signal(let item): ".signal(\(item))"
    case .perform(let item): ".perform(\(item))"
    case .move(let item, let slot): ".move(\(item), to: \(slot))"
    case .join(let mode): ".join(.\(mode))"
    case .wakeUp: ".wakeUp"
    case .stop: ".stop"
    case .run(let mode, let limit, let returns):
      ".run(.\(mode), until: \(limit.source)" + (returns ? ", returnsAfterSource: true)" : ")")
    case .busy(let slot): ".busy(until: \(slot))"
    }
  }
}
