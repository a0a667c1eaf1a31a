/// What Core Foundation waits for, as Linux has it: a port that wakes the loop and a timer for each mode, in an epoll
/// set for each mode, edge-triggered, of which one is taken at a time.
struct ModelPorts {
  enum Port { case wake, timer }

  private struct Set {
    var ready: [Port] = []
    var timerIsReady = false
    var alarm = Int.max
    /// The date that the timer was last set for.
    var armed: (Int, Int)?
  }

  private var sets: [Mode: Set] = [:]
  private var wakeIsReady = false

  mutating func create(_ mode: Mode) {
    if sets[mode] == nil { sets[mode] = Set(ready: wakeIsReady ? [.wake] : []) }
  }

  func know(_ mode: Mode) -> Bool { sets[mode] != nil }

  mutating func wake() {
    wakeIsReady = true
    for mode in sets.keys where !sets[mode]!.ready.contains(.wake) { sets[mode]!.ready.append(.wake) }
  }

  mutating func advance(to now: Int) {
    for mode in sets.keys where sets[mode]!.alarm <= now {
      sets[mode]!.alarm = .max
      sets[mode]!.timerIsReady = true
      if !sets[mode]!.ready.contains(.timer) { sets[mode]!.ready.append(.timer) }
    }
  }

  /// Sets the timer for the soonest date, unless it was already set for that. Without one it stays as it was.
  mutating func arm(_ mode: Mode, _ date: (Int, Int)?, _ now: Int) {
    guard sets[mode] != nil else { return }
    defer { sets[mode]!.armed = date }
    guard let date else { return }
    if let armed = sets[mode]!.armed, armed == date { return }
    sets[mode]!.timerIsReady = false
    sets[mode]!.alarm = date.0
    advance(to: now)
  }

  /// The timer is to be set even for the date that it was set for.
  mutating func forget(_ mode: Mode) { sets[mode]?.armed = nil }

  func alarm(_ mode: Mode) -> Int { sets[mode]?.alarm ?? .max }

  mutating func take(_ mode: Mode) -> Port? {
    while let port = sets[mode]?.ready.first {
      sets[mode]!.ready.removeFirst()
      switch port {
      case .wake where wakeIsReady:
        wakeIsReady = false
        return port
      case .timer where sets[mode]!.timerIsReady:
        sets[mode]!.timerIsReady = false
        return port
      case .wake, .timer: continue
      }
    }
    return nil
  }
}
