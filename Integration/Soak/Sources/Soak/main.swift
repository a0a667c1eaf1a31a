import GLibRunLoop
import Glibc
import ThreadKit

// Random work on eight loops for a time: `soak SECONDS [SEED]`. Ends with exact accounts; exits 1 if they do not balance.
// The same seed leads to the same choices, though not to the same order between threads.

let arguments = CommandLine.arguments.dropFirst()
guard let first = arguments.first, let seconds = Int(first), seconds > 0 else {
  print("usage: soak SECONDS [SEED]")
  exit(2)
}
let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
print("soak for \(seconds) s, seed \(seed)")
fflush(nil)
// A hang is ended by the kernel.
alarm(CUnsignedInt(seconds * 3 + 60))

/// The time goes by in rounds. At the end of each all loops are gone, so that what is held can be compared.
let rounds = 5
var holdings: [Holdings] = []
var random = Random(seed)
for round in 1...rounds {
  let town = Town()
  let end = GRunLoop.Instant.now + .milliseconds(seconds * 1000 / rounds)
  let seats = (0..<8).map { seat in
    let seed = random.next()
    return TestThread {
      var random = Random(seed)
      while .now < end {
        let rest = end - .now
        let duration = min(rest, .milliseconds(Int.random(in: 50...1500, using: &random)))
        let life = Life(seat % 2 == 0 ? .swift : .glib, in: town, seed: random.next())
        TestThread { life.live(for: duration) }.join()
      }
    }
  }
  let visitors = (0..<2).map { _ in
    let seed = random.next()
    return TestThread { visit(town, seed: seed, until: end) }
  }
  for thread in seats + visitors { thread.join() }
  // A thread that was joined may still be on its way out of the kernel.
  let limit = GRunLoop.Instant.now + .seconds(30)
  var holding = Holdings()
  while round > 2, holding.threads > holdings[1].threads, .now < limit {
    usleep(1000)
    holding = Holdings()
  }
  holdings.append(holding)
  for (kind, account) in zip(Kind.allCases, accounts) where account.balance != 0 {
    complain(
      "after round \(round) \(account.balance) of \(kind.name) are neither run nor cancelled nor gone with a loop")
  }
}

func column(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
func row(_ name: String, _ cells: [String]) {
  print(name + String(repeating: " ", count: max(0, 24 - name.count)) + cells.map { column($0, 12) }.joined())
}

row("", ["posted", "ran", "cancelled", "timed out", "loop ended"])
for (kind, account) in zip(Kind.allCases, accounts) {
  let ends = [value(account.ran), value(account.cancelled), value(account.timedOut), value(account.ended)]
  row(kind.name, ([value(account.posted)] + ends).map(String.init))
}
print(
  "\(value(Counters.loops)) loops, \(value(Counters.nestedRuns)) nested runs, \(value(Counters.ticks)) ticks, "
    + "\(value(Counters.signals)) signals in \(value(Counters.sourceCalls)) calls, "
    + "\(value(Counters.bytesRead)) of \(value(Counters.bytesWritten)) bytes")
row("after round", (1...rounds).map { "\($0)" })
row("bytes allocated", holdings.map { "\($0.allocated)" })
row("descriptors", holdings.map { "\($0.descriptors)" })
row("threads", holdings.map { "\($0.threads)" })

// The first round makes what is made once: thread-local storage, tables that grow.
let (early, late) = (holdings[1], holdings[rounds - 1])
if late.allocated - early.allocated > 65_536 { complain("memory grows: \(late.allocated - early.allocated) bytes") }
if late.descriptors != early.descriptors { complain("descriptors: \(early.descriptors), then \(late.descriptors)") }
if late.threads > early.threads { complain("threads: \(early.threads), then \(late.threads)") }
if complaintCount > 0 {
  print("\(complaintCount) things are out of balance; try again with: soak \(seconds) \(seed)")
  exit(1)
}
print("all accounts balance")
