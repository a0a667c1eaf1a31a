import Glibc
import Synchronization
import ThreadKit

/// Kinds of work that are accounted for, piece by piece.
enum Kind: Int, CaseIterable {
  case perform, performInMode, delayed, waited, timer, foreign, foreignInMode

  var name: String {
    switch self {
    case .perform: "perform"
    case .performInMode: "perform in modes"
    case .delayed: "perform after a delay"
    case .waited: "perform and wait"
    case .timer: "timer"
    case .foreign: "GSource"
    case .foreignInMode: "GSource in a mode"
    }
  }
}

/// What became of all work of one kind.
final class Account: Sendable {
  let posted = Atomic(0)
  let ran = Atomic(0)
  let cancelled = Atomic(0)
  let timedOut = Atomic(0)
  /// Its loop ended first, or had ended.
  let ended = Atomic(0)

  var balance: Int {
    value(posted) - value(ran) - value(cancelled) - value(timedOut) - value(ended)
  }
}

/// What is counted and not followed piece by piece.
enum Counters {
  static let signals = Atomic(0)
  static let sourceCalls = Atomic(0)
  static let bytesWritten = Atomic(0)
  static let bytesRead = Atomic(0)
  static let nestedRuns = Atomic(0)
  static let loops = Atomic(0)
  static let ticks = Atomic(0)
}

let accounts = Kind.allCases.map { _ in Account() }

// All counters are relaxed: they are read when the threads that wrote them were joined.

func count(_ counter: borrowing Atomic<Int>, _ change: Int = 1) { counter.wrappingAdd(change, ordering: .relaxed) }
func value(_ counter: borrowing Atomic<Int>) -> Int { counter.load(ordering: .relaxed) }

/// One piece of work. Its closure holds it, so that it goes when the closure goes.
final class Ticket: Sendable {
  private static let ran: UInt8 = 1
  private static let cancelled: UInt8 = 2
  /// Cancelled on its loop's own thread before it ran: it must not run.
  private static let mustNotRun: UInt8 = 4
  private static let timedOut: UInt8 = 8

  private let kind: Kind
  private let life: Life
  private let state = Atomic<UInt8>(0)

  init(_ kind: Kind, on life: Life) {
    self.kind = kind
    self.life = life
    count(accounts[kind.rawValue].posted)
  }

  var hasRun: Bool { state.load(ordering: .acquiring) & Self.ran != 0 }

  func run() {
    let before = state.bitwiseOr(Self.ran, ordering: .acquiringAndReleasing).oldValue
    if before & Self.ran != 0 { complain("a \(kind.name) ran twice") }
    if before & Self.mustNotRun != 0 { complain("a \(kind.name) ran after it was cancelled") }
    if before & Self.timedOut != 0 { complain("a \(kind.name) ran after it timed out") }
    if !life.loop.isCurrent { complain("a \(kind.name) ran on another thread") }
  }

  /// Before it is cancelled.
  func willCancel() {
    let isCertain = life.loop.isCurrent && !hasRun
    _ = state.bitwiseOr(Self.cancelled | (isCertain ? Self.mustNotRun : 0), ordering: .acquiringAndReleasing)
  }

  func didTimeOut() {
    let before = state.bitwiseOr(Self.timedOut, ordering: .acquiringAndReleasing).oldValue
    if before & Self.ran != 0 { complain("a \(kind.name) timed out and ran") }
  }

  deinit {
    let account = accounts[kind.rawValue]
    let last = state.load(ordering: .acquiring)
    if last & Self.ran != 0 {
      count(account.ran)
    } else if last & Self.cancelled != 0 {
      count(account.cancelled)
    } else if last & Self.timedOut != 0 {
      count(account.timedOut)
    } else {
      if !life.hasEnded { complain("a \(kind.name) was lost: its loop goes on, and nobody cancelled it") }
      count(account.ended)
    }
  }
}

/// What is out of balance; the first few of each kind are printed.
private let complaints = Locked<[String: Int]>([:])

func complain(_ what: String) {
  let count = complaints.withLock { all in
    all[what, default: 0] += 1
    return all[what]!
  }
  if count <= 3 { print("OUT OF BALANCE: \(what)") }
}

var complaintCount: Int { complaints.withLock { $0.values.reduce(0, +) } }
