import Foundation
import GLibRunLoop

/// The notifications of one style that wait for their moment, first in, first out. For the loop's thread.
///
/// While any waits, an observer is in their modes, which posts; and in each of these modes a timer that is due as soon
/// as something was queued for it. The timer keeps the mode from being empty, and the loop from sleeping before the
/// observer had its say, whatever runs of other modes come between; it is no source, so that it ends no run. Once it
/// has fired it stays, parked.
final class PostingLine {
  private struct Entry {
    let number: UInt64
    let notification: Notification
    let modes: Set<GRunLoop.Mode>
  }

  private struct Place {
    let timer: GRunLoop.Timer
    var entries = 0
  }

  private let center: NotificationCenter
  private let modesInForce: ModesInForce
  private let activities: GRunLoop.Activities
  private let postsOneByOne: Bool
  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0
  private var places: [GRunLoop.Mode: Place] = [:]
  /// Holds the line, until the last entry is gone or the loop has ended.
  private var observer: GRunLoop.Observer?

  private var loop: GRunLoop { modesInForce.loop }

  init(
    to center: NotificationCenter, in modes: ModesInForce, at activities: GRunLoop.Activities, oneByOne: Bool
  ) {
    self.center = center
    self.modesInForce = modes
    self.activities = activities
    self.postsOneByOne = oneByOne
  }

  func append(_ notification: Notification, forModes modes: Set<GRunLoop.Mode>) {
    lastNumber += 1
    entries.append(Entry(number: lastNumber, notification: notification, modes: modes))
    for mode in modes { places[mode, default: Place(timer: makeTimer())].entries += 1 }
    if !observe(modes) {
      // The loop has ended, and has said so.
      let entry = entries.removeLast()
      leave(entry.modes)
    }
  }

  func remove(where isUnwanted: (Notification) -> Bool) {
    // What is let go of may have a deinit that comes back here.
    let old = entries
    entries = old.filter { !isUnwanted($0.notification) }
    if entries.count == old.count { return }
    let kept = Set(entries.map(\.number))
    for entry in old where !kept.contains(entry.number) { leave(entry.modes) }
    withExtendedLifetime(old) {}
  }

  private func makeTimer() -> GRunLoop.Timer {
    // Repeating, since a one-shot would be over with its first call.
    GRunLoop.Timer(fireDate: .now, interval: .seconds(1), repeats: true) { $0.fireDate = .distantFuture }
  }

  /// Has the line's moments told in these modes, and the next one come before the loop sleeps in them.
  private func observe<Modes: Sequence<GRunLoop.Mode>>(_ modes: Modes) -> Bool {
    let observer = observer ?? GRunLoop.Observer(activities: activities, order: .min) { [self] _, _ in post() }
    self.observer = observer
    for mode in modes {
      let timer = places[mode]!.timer
      timer.fireDate = .now
      guard loop.add(observer, forMode: mode), loop.add(timer, forMode: mode) else { return false }
    }
    return true
  }

  /// One entry less in these modes.
  private func leave(_ modes: Set<GRunLoop.Mode>) {
    for mode in modes {
      places[mode]!.entries -= 1
      guard places[mode]!.entries == 0 else { continue }
      places.removeValue(forKey: mode)!.timer.invalidate()
      if let observer { loop.remove(observer, forMode: mode) }
    }
    if entries.isEmpty { stopObserving() }
  }

  private func stopObserving() {
    observer?.invalidate()
    observer = nil
  }

  /// What is queued meanwhile waits for the next moment. An observer of the notification may run the loop: the rest of
  /// the line goes on there, with another observer, since one is not called again inside its own call.
  private func post() {
    guard let mode = loop.currentMode else { return }
    let last = lastNumber
    var isFirst = true
    while isFirst || !postsOneByOne,
      let index = entries.firstIndex(where: {
        $0.number <= last && modesInForce.includes(mode, among: $0.modes)
      })
    {
      if isFirst { stopObserving() }
      isFirst = false
      let entry = entries.remove(at: index)
      leave(entry.modes)
      if !entries.isEmpty && observer == nil { _ = observe(places.keys) }
      center.post(entry.notification)
    }
  }
}
