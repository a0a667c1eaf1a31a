/// The items of one mode, each at a place that it keeps until it leaves.
///
/// A place that becomes free is given to the next item, so that one leaves without a look at any other: with many
/// items each such look is a cache miss.
struct ItemTable: ~Copyable {
  private var places: [GRunLoop.Item?] = []
  private var free: [Int32] = []

  var count: Int { places.count - free.count }

  /// In no order.
  var all: [GRunLoop.Item] { places.compactMap(\.self) }

  /// Returns the item's place.
  mutating func insert(_ item: GRunLoop.Item) -> Int32 {
    if let place = free.popLast() {
      places[Int(place)] = item
      return place
    }
    places.append(item)
    return Int32(places.count - 1)
  }

  mutating func remove(at place: Int32) {
    places[Int(place)] = nil
    free.append(place)
    guard free.count == places.count else { return }
    // Arrays never shrink by themselves; a burst of a million items must leave no trace.
    places.removeAll(keepingCapacity: places.count <= 1024)
    free.removeAll(keepingCapacity: free.count <= 1024)
  }
}
