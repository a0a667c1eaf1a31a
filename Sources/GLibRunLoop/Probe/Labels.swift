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

  /// Guards what follows. Held for a look, never together with user code.
  private static let lock = Lock()
  private nonisolated(unsafe) static var labels: [Label] = [Label()]
  private nonisolated(unsafe) static var numbers: [Label: UInt32] = [Label(): none]
  private nonisolated(unsafe) static var items: [ObjectIdentifier: (label: Label, number: UInt32)] = [:]

  package static func number(of label: Label) -> UInt32 { lock.withLock { numberLocked(of: label) } }

  private static func numberLocked(of label: Label) -> UInt32 {
    if let number = numbers[label] { return number }
    let isLast = labels.count == limit
    let number = UInt32(isLast ? limit - 1 : labels.count)
    if isLast { return number }
    labels.append(label)
    numbers[label] = number
    return number
  }

  package static subscript(number: UInt32) -> Label { lock.withLock { labels[Int(number)] } }

  // MARK: Of items

  static func of(_ item: GRunLoop.Item) -> (label: Label, number: UInt32)? {
    guard item.isLabelled else { return nil }
    return lock.withLock { items[ObjectIdentifier(item)] }
  }

  static func change(_ item: GRunLoop.Item, _ body: (inout Label) -> Void) {
    lock.withLock {
      var label = items[ObjectIdentifier(item)]?.label ?? Label()
      body(&label)
      items[ObjectIdentifier(item)] = (label, numberLocked(of: label))
    }
    item.markLabelled()
  }

  static func forget(_ item: ObjectIdentifier) { lock.withLock { _ = items.removeValue(forKey: item) } }
}
