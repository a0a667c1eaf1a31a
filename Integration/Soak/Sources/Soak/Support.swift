import CSoak
import Glibc

/// SplitMix64: the same numbers for the same seed.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
  mutating func duration(upTo microseconds: Int) -> Duration {
    .microseconds(Int.random(in: 0...microseconds, using: &self))
  }
}

/// What the process holds.
struct Holdings {
  let allocated = soak_allocated()
  let descriptors = Holdings.entries("/proc/self/fd")
  let threads = Holdings.entries("/proc/self/task")

  private static func entries(_ path: String) -> Int {
    guard let folder = opendir(path) else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Without ".", "..", and for descriptors the folder's own.
    return count - (path.hasSuffix("fd") ? 3 : 2)
  }
}
