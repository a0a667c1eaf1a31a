import CRunLoopShims

/// The names of items and the lines where they were added, beside the items: they are few, and an item has no room for
/// them. A line is noted only while an instrument is on.
///
/// A record of what happened outlives the item, so a label has a number, which stays good.
package enum Labels {
  /// Nothing is known.
  package static let none: UInt32 = 0
  /// Names may be without end, memory is not: what comes when this many are known has this last one's number.
  private static let limit = 65_536

  private struct Known {
    var labels = [Label()]
    var numbers = [Label(): none]
    var items: [ObjectIdentifier: (label: Label, number: UInt32)] = [:]

    mutating func number(of label: Label) -> UInt32 {
      if let number = numbers[label] { return number }
      let isLast = labels.count == limit
      let number = UInt32(isLast ? limit - 1 : labels.count)
      if isLast { return number }
      labels.append(label)
      numbers[label] = number
      return number
    }
  }

  /// Held for a look, never together with user code. A child that is forked while names change begins without them.
  private static let known = PerProcess(Known()) { $0 ?? Known() }

  package static func number(of label: Label) -> UInt32 { known.withLock { $0.number(of: label) } }

  package static subscript(number: UInt32) -> Label {
    known.withLock { $0.labels.indices.contains(Int(number)) ? $0.labels[Int(number)] : Label() }
  }

  // MARK: Of items

  static func of(_ item: GRunLoop.Item) -> (label: Label, number: UInt32)? {
    guard item.isLabelled else { return nil }
    return known.withLock { $0.items[ObjectIdentifier(item)] }
  }

  static func change(_ item: GRunLoop.Item, _ body: (inout Label) -> Void) {
    known.withLock { known in
      var label = known.items[ObjectIdentifier(item)]?.label ?? Label()
      body(&label)
      known.items[ObjectIdentifier(item)] = (label, known.number(of: label))
    }
    item.markLabelled()
  }

  static func forget(_ item: ObjectIdentifier) { known.withLock { _ = $0.items.removeValue(forKey: item) } }
}
