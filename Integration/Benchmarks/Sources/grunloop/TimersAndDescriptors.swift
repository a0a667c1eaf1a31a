import BenchSupport
import GLibRunLoop
import Glibc

func farTimers(_ count: Int, on loop: GRunLoop) {
  for index in 0..<count {
    let timer = GRunLoop.Timer(interval: .milliseconds(PEER_FAR_MS + Int64(index))) { _ in abort() }
    loop.add(timer, forMode: .default)
  }
}

extension Bench {
  /// T one-shots over 100 ms.
  func timersFire(tolerance: Duration) -> (UInt64, String) {
    let late = UnsafeMutablePointer<Int64>.allocate(capacity: Int(target))
    late.initialize(repeating: 1, count: Int(target))
    var scheduling: UInt64 = 0
    alone { loop in
      begin()
      for index in 0..<target {
        let due = peer_now() + peer_delay_ns(index, target)
        let timer = GRunLoop.Timer(fireDate: .init(nanoseconds: Int64(due)), tolerance: tolerance) { [self] _ in
          late[Int(count)] = Int64(bitPattern: peer_now() &- due)
          count += 1
          if count == target { finish() }
        }
        loop.add(timer, forMode: .default)
      }
      scheduling = peer_now() - clock.pointee.t0
    }
    return (target, text { peer_lateness(late, Int(target), scheduling, $0, $1) })
  }

  func timersChurn(_ live: Int, batch: UInt64) -> UInt64 {
    alone { loop in
      let base = Int64(peer_now())
      let timers = (0..<live).map { index in
        let timer = GRunLoop.Timer(
          interval: .milliseconds(PEER_FAR_MS + Int64(index)), sendableHandler: { _ in abort() })
        loop.add(timer, forMode: .default)
        return timer
      }
      loop.perform { [self] in
        begin()
        churn(timers, base, batch)
      }
    }
    return count
  }

  private func churn(_ timers: [GRunLoop.Timer], _ base: Int64, _ batch: UInt64) {
    var done: UInt64 = 0
    while batch == 0 || done < batch {
      let timer = timers[Int((count &* 7919) % UInt64(timers.count))]
      timer.fireDate = .init(nanoseconds: base + Int64(peer_churn_ms(count)) * 1_000_000)
      count += 1
      done += 1
      if isOver(count) { return finish() }
    }
    GRunLoop.current.perform { self.churn(timers, base, batch) }
  }

  /// One descriptor that rings itself, among many silent ones.
  func descriptorsIdle(_ silent: Int) -> UInt64 {
    alone { loop in
      for _ in 0..<silent { loop.add(watch(peer_eventfd()) { _ in abort() }, forMode: .default) }
      let active = peer_eventfd()
      let source = watch(active) { [self] descriptor in
        peer_drain(descriptor)
        count += 1
        if isOver(count) { return finish() }
        peer_ring(descriptor)
      }
      loop.add(source, forMode: .default)
      begin()
      peer_ring(active)
    }
    return count
  }

  /// All of K descriptors ready in each round.
  func descriptorsActive(_ live: Int, level: Bool) -> UInt64 {
    alone { loop in
      let descriptors = (0..<live).map { _ in peer_eventfd() }
      for descriptor in descriptors {
        let source = watch(descriptor) { [self] descriptor in
          if !level { peer_drain(descriptor) }
          seen += 1
          guard seen == live else { return }
          seen = 0
          count += 1
          if isOver(count, mask: 0) { return count == target || count > 0 ? finish() : () }
          if !level { for descriptor in descriptors { peer_ring(descriptor) } }
        }
        loop.add(source, forMode: .default)
      }
      begin()
      for descriptor in descriptors { peer_ring(descriptor) }
    }
    return count * UInt64(live)
  }

  /// Runs of no duration in two modes in turn, with so many items in each.
  func modeSwitch(_ items: Int) -> UInt64 {
    alone { loop in
      for mode: GRunLoop.Mode in ["one", "two"] {
        for index in 0..<items {
          let timer = GRunLoop.Timer(interval: .milliseconds(PEER_FAR_MS + Int64(index))) { _ in abort() }
          loop.add(timer, forMode: mode)
          loop.add(GRunLoop.Source { _ in abort() }, forMode: mode)
        }
      }
      loop.perform { [self] in
        begin()
        while !isOver(count) {
          loop.run(mode: "one", for: .zero)
          loop.run(mode: "two", for: .zero)
          count += 2
        }
        finish()
      }
    }
    return count
  }
}
