import GLibRunLoop
import ThreadKit

/// The loops that there are now, so that each can find the others.
final class Town: Sendable {
  private let lives = Locked<[Life]>([])

  func enter(_ life: Life) { lives.withLock { $0.append(life) } }
  func leave(_ life: Life) { lives.withLock { $0.removeAll { $0 === life } } }

  func anyone(_ random: inout Random) -> Life? {
    // Taken out of the lock's closure, which cannot capture an inout.
    let number = random.next()
    return lives.withLock { $0.isEmpty ? nil : $0[Int(number % UInt64($0.count))] }
  }
}
