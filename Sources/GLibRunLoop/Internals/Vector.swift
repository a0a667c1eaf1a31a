/// A row of plain values that grows, for the engine's hot places.
///
/// `Array` costs there: each change asks whether the row is shared, each class reference is counted, and an empty one
/// is replaced rather than kept. Its elements hold no references of their own.
struct Vector<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  deinit { base?.deallocate() }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { base.unsafelyUnwrapped[index] }
    nonmutating _modify { yield &base.unsafelyUnwrapped[index] }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (base.unsafelyUnwrapped + count).initialize(to: element)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(8, capacity * 2))
    if let base {
      larger.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = larger
    capacity = max(8, capacity * 2)
  }

  @inline(__always)
  mutating func removeLast() -> Element {
    count -= 1
    return self[count]
  }

  /// Keeps some room for the next ones, but not that of a burst.
  mutating func removeLast(_ number: Int) {
    count -= number
    guard count == 0 && capacity > 1024 else { return }
    base?.deallocate()
    base = nil
    capacity = 0
  }

  mutating func removeAll() { removeLast(count) }

  /// Keeps the elements for which `body` is true, in their order.
  mutating func keep(where body: (Element) -> Bool) {
    var kept = 0
    for index in 0..<count where body(self[index]) {
      if kept < index { self[kept] = self[index] }
      kept += 1
    }
    count = kept
  }

  mutating func sort(from start: Int = 0, by precedes: (Element, Element) -> Bool) {
    guard let base, count - start > 1 else { return }
    var elements = UnsafeMutableBufferPointer(start: base + start, count: count - start)
    // What comes from one place is nearly always in order already.
    for index in 1..<elements.count where precedes(elements[index], elements[index - 1]) {
      return elements.sort(by: precedes)
    }
  }
}
