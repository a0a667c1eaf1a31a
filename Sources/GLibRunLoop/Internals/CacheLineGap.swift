/// Stands between two fields of an object that different threads write, so that they share no cache line. Two lines: they
/// are fetched in pairs.
struct CacheLineGap {
  private let bytes = InlineArray<16, UInt64>(repeating: 0)
}
