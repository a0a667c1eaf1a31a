import GLibRunLoop
import Glibc

/// What comes in each run, told on the standard output to whoever checks.
@MainActor final class Record {
  enum Event: String, CaseIterable {
    /// The frame clock has had one painted.
    case frame
    /// A task of the main actor's has woken from a short sleep.
    case actor
    /// A timer in the modes of this name.
    case common, `default`, `private`
    /// The background work has added one.
    case row
  }

  private let loop = GRunLoop.main
  private let places: () -> [String]
  private var counts: [Event: Int] = [:]
  private var countsBefore: [Event: Int] = [:]
  private var mode: GRunLoop.Mode?
  private var saidAlive = true
  /// When the places after the last run have been drawn.
  private var restAt = 0

  init(places: @escaping () -> [String]) {
    self.places = places
    addTimer(.common, forMode: .common)
    addTimer(.default, forMode: .default)
    addTimer(.private, forMode: "private")
    Task {
      while true {
        try await Task.sleep(for: .milliseconds(20))
        count(.actor)
      }
    }
  }

  private func addTimer(_ event: Event, forMode mode: GRunLoop.Mode) {
    let timer = GRunLoop.Timer(interval: .milliseconds(20), repeats: true) { [unowned self] _ in count(event) }
    loop.add(timer, forMode: mode)
  }

  var status: String { "frame \(counts[.frame, default: 0]), mode \(mode ?? loop.hostMode)" }

  func count(_ event: Event) {
    counts[event, default: 0] += 1
    switch event {
    case .row: sayPlaces("row \(counts[.row]!) in \(mode ?? loop.hostMode)")
    case .frame where counts[.frame] == restAt: sayPlaces("rest")
    default: break
    }
    if !saidAlive, [.frame, .actor, .common].allSatisfy({ sinceBegin($0) >= 10 }) {
      saidAlive = true
      sayPlaces("alive in \(mode!)")
    }
  }

  private func sinceBegin(_ event: Event) -> Int { counts[event, default: 0] - countsBefore[event, default: 0] }

  func begin(_ mode: GRunLoop.Mode) {
    self.mode = mode
    countsBefore = counts
    saidAlive = false
    say("begin \(mode)")
  }

  func end(_ mode: GRunLoop.Mode, _ result: GRunLoop.RunResult) {
    let all = Event.allCases.map { "\($0)=\(sinceBegin($0))" }.joined(separator: " ")
    say("end \(mode) \(result) \(all)")
    self.mode = nil
    saidAlive = true
    restAt = counts[.frame, default: 0] + 5
  }

  private func sayPlaces(_ line: String) {
    for place in places() { say(place) }
    say(line)
  }

  func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
