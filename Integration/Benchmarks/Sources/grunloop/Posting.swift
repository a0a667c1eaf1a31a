import BenchSupport
import GLibRunLoop
import Glibc

extension Bench {
  func countOne() {
    count += 1
    if count == target { finish() }
  }

  func countOne(_ index: UInt64) { countOne() }

  /// P threads post N closures to one loop.
  func post(_ producers: Int, _ total: UInt64, _ what: String) -> UInt64 {
    let thread = LoopThread(driver)
    let loop = thread.loop!
    let each = total / UInt64(producers)
    race(producers, each: each) { _ in
      if what == "function" {
        let argument = Unmanaged.passUnretained(self).toOpaque()
        for _ in 0..<each {
          loop.perform({ Unmanaged<Bench>.fromOpaque($0!)._withUnsafeGuaranteedRef { $0.countOne() } }, argument)
        }
      } else {
        // Not counted: two threads that count one object's references are slower than any queue.
        for index in 0..<each { loop.perform { [unowned(unsafe) self] in countOne(index) } }
      }
    }
    return target
  }

  /// Lets P threads loose, and waits until all that they post was counted.
  func race(_ producers: Int, each: UInt64, _ produce: @escaping @Sendable (Int) -> Void) {
    target = each * UInt64(producers)
    let gate = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
    pthread_barrier_init(gate, nil, UInt32(producers + 1))
    nonisolated(unsafe) let barrier = gate
    for producer in 0..<producers {
      startThread {
        pthread_barrier_wait(barrier)
        produce(producer)
      }
    }
    usleep(20_000)
    begin()
    pthread_barrier_wait(gate)
    wait()
  }

  /// Each closure posts the next: a whole turn of the loop each.
  func postLocal(idleTimers: Int, _ total: UInt64) -> UInt64 {
    target = total
    alone { loop in
      farTimers(idleTimers, on: loop)
      loop.perform { [self] in
        begin()
        chain(loop)
      }
    }
    return count
  }

  private func chain(_ loop: GRunLoop) {
    count += 1
    if isOver(count) { return finish() }
    loop.perform { self.chain(loop) }
  }

  /// Two loops post to each other.
  func pingPong(_ total: UInt64, spin: Duration) -> UInt64 {
    let first = LoopThread(driver) { $0.spinDuration = spin }.loop!
    let second = LoopThread(driver) { $0.spinDuration = spin }.loop!
    target = total
    usleep(20_000)
    begin()
    first.perform { self.ping(first, second) }
    wait()
    return target
  }

  private func ping(_ first: GRunLoop, _ second: GRunLoop) {
    if count == target { return finish() }
    count += 1
    second.perform { first.perform { self.ping(first, second) } }
  }

  func performAndWait(_ total: UInt64, spin: Duration) -> UInt64 {
    let loop = LoopThread(driver) { $0.spinDuration = spin }.loop!
    target = total
    usleep(20_000)
    begin()
    var calls: UInt64 = 0
    while !isOver(calls) {
      try! loop.performAndWait { self.count += 1 }
      calls += 1
    }
    peer_end(clock)
    return calls
  }

  /// A source that signals itself.
  func tick(_ total: UInt64) -> UInt64 {
    target = total
    alone { loop in
      let source = GRunLoop.Source { [self] source in
        count += 1
        if isOver(count) { return finish() }
        source.signal()
      }
      loop.add(source, forMode: .default)
      begin()
      source.signal()
    }
    return count
  }

  func idle(seconds: Int) -> UInt64 {
    _ = LoopThread(driver) { loop in
      farTimers(10, on: loop)
      for _ in 0..<10 { loop.add(watch(peer_eventfd()) { _ in abort() }, forMode: .default) }
    }
    usleep(200_000)
    begin()
    var span = timespec(tv_sec: seconds, tv_nsec: 0)
    nanosleep(&span, nil)
    peer_end(clock)
    return UInt64(seconds)
  }
}

func watch(_ descriptor: CInt, _ body: @escaping (CInt) -> Void) -> GRunLoop.DescriptorSource {
  GRunLoop.DescriptorSource(fileDescriptor: descriptor, events: .readable) { source, _ in body(source.fileDescriptor) }
}
