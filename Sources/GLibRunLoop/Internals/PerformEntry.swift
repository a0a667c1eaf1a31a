import CRunLoopShims

/// A piece of queued work. It cannot be copied: it is moved into a queue and out again, so that no closure is counted.
struct PerformEntry: ~Copyable {
  enum Work: ~Copyable {
    case closure(() -> Void)
    case function(@convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer?)
    /// An actor's.
    case job(UnownedJob)
    /// A task's that prefers the loop.
    case taskJob(UnownedJob)
    /// Whatever is not a plain perform in the common modes.
    case detailed(PerformDetails)
    /// An item whose priority is not the default one, and the modes that it is in.
    case turn(GRunLoop.Item, [ModeState])
    case cancelled
  }

  var work: Work
  let sequence: UInt64

  var isCancelled: Bool {
    switch work {
    case .cancelled: true
    default: false
    }
  }

  var details: PerformDetails? {
    switch work {
    case .detailed(let details): details
    default: nil
    }
  }

  /// The modes in whose queues it stands; none are the common set.
  var states: [ModeState] {
    switch work {
    case .detailed(let details): details.states
    case .turn(_, let states): states
    default: []
    }
  }

  var isInSeveralModes: Bool {
    switch work {
    case .detailed(let details): details.states.count > 1
    case .turn(_, let states): states.count > 1
    default: false
    }
  }

  /// What is no job has the rank of a job of medium priority.
  static let rank = TaskPriority.medium.rawValue

  /// The higher ones go first.
  static func rank(of job: UnownedJob) -> UInt8 {
    let priority = job.priority.rawValue
    return priority == 0 ? rank : priority
  }

  var rank: UInt8 {
    switch work {
    case .job(let job): Self.rank(of: job)
    case .taskJob(let job): Self.rank(of: job)
    default: Self.rank
    }
  }
}

/// A perform that names modes, an order or a target, or that somebody waits for.
class PerformDetails {
  /// None are the common set.
  let states: [ModeState]
  let order: Int
  let target: AnyObject?
  let name: String?
  /// Known while an instrument is on.
  let origin: Origin?
  private var body: (() -> Void)?

  init(
    states: [ModeState] = [], order: Int = 0, target: AnyObject? = nil, name: String? = nil, origin: Origin? = nil,
    body: (() -> Void)? = nil
  ) {
    self.origin = origin
    self.states = states
    self.order = order
    self.target = target
    self.name = name
    self.body = body
  }

  /// Its turn has come.
  func run() {
    body?()
    body = nil
  }

  /// Its turn will never come.
  func abandon(_ reason: GRunLoop.Failure) { body = nil }

  /// Its turn has begun, and will never end.
  func abandonBegun(_ reason: GRunLoop.Failure) { abandon(reason) }
}

/// Where and when a perform was queued.
struct Origin {
  let place: Place
  /// On the kernel's monotonic clock.
  let date: Int64

  /// Nil while no instrument is on.
  @inline(__always)
  static func ifInstrumented(_ file: StaticString, _ line: UInt) -> Origin? {
    grl_instrumented() ? Origin(place: Place(file: file, line: line), date: grl_now(CLOCK_MONOTONIC)) : nil
  }
}
