import CPortShims
import GLibRunLoop
import Synchronization

/// What the kernel or a sandbox refuses for good: said once in a process, whatever the ports do with the errors.
final class Refusal: Sendable {
  static let said = Refusal()

  private let wasSaid = Atomic(false)

  func say(_ reason: String) {
    // Relaxed: only who is first matters.
    if wasSaid.exchange(true, ordering: .relaxed) { return }
    gps_warn("messages of more than \(Frame.inlineLimit) bytes cannot be sent to other processes: \(reason)")
  }
}
