import CGLib
import GLibRunLoop
import Glibc

extension Life {
  /// One random thing, on the loop's thread, for itself or for another loop.
  func act() {
    guard let other = random.chance(40) ? self : town.anyone(&random) else { return }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: post(to: other)
    case 30..<45: postCancellable(to: other)
    case 45..<55: addTimer()
    case 55..<62: other.signal()
    case 62..<70: other.writeByte()
    case 70..<76: waitFor(other)
    case 76..<84: runNested()
    case 84..<90: attachForeign()
    case 90..<94: other.loop.wakeUp()
    case 94..<97: callOffOne()
    default: addObserverForAMoment()
    }
  }

  private func post(to other: Life) {
    let ticket = Ticket(.perform, on: other)
    other.loop.perform { ticket.run() }
  }

  private func postCancellable(to other: Life) {
    let isDelayed = random.chance(40)
    let ticket = Ticket(isDelayed ? .delayed : .performInMode, on: other)
    let modes: [GRunLoop.Mode] =
      random.chance(70) ? [.common] : [Self.privateModes.randomElement(using: &random)!, .modalPanel]
    let target = random.chance(20) ? Target() : nil
    let perform = other.loop.perform(
      inModes: modes, after: isDelayed ? random.duration(upTo: 4000) : nil,
      order: Int.random(in: -1...1, using: &random),
      priority: random.chance(10) ? .init(rawValue: 10) : .default, target: target, name: "soak"
    ) { ticket.run() }
    if random.chance(25) {
      ticket.willCancel()
      if let target { other.loop.cancelPerforms(target: target, name: "soak") } else { perform.cancel() }
    } else if random.chance(25) {
      later.append((ticket, { perform.cancel() }))
    }
  }

  private func addTimer() {
    let ticket = Ticket(.timer, on: self)
    let clock = GRunLoop.Timebase.allCases.randomElement(using: &random)!
    let timer = GRunLoop.Timer(
      fireDate: .now(on: clock) + random.duration(upTo: 8000), tolerance: random.duration(upTo: 1000)
    ) { timer in
      if .now(on: clock) < timer.fireDate && clock != .wall { complain("a timer was early") }
      ticket.run()
    }
    loop.add(timer, forMode: random.chance(80) ? .common : Self.privateModes.randomElement(using: &random)!)
    if random.chance(20) { timer.fireDate = .now(on: clock) + random.duration(upTo: 3000) }
    if random.chance(30) {
      later.append(
        (
          ticket,
          {
            ticket.willCancel()
            timer.invalidate()
          }
        ))
    }
  }

  private func waitFor(_ other: Life) {
    let ticket = Ticket(.waited, on: other)
    do {
      let sum = try other.loop.performAndWait(timeout: random.duration(upTo: 3000)) {
        ticket.run()
        return 6 * 7
      }
      if sum != 42 || !ticket.hasRun { complain("performAndWait returned another value") }
    } catch let failure as GRunLoop.Failure {
      switch failure {
      case .timedOut: ticket.didTimeOut()
      case .ended: if ticket.hasRun { complain("performAndWait threw, and the closure ran") }
      default: complain("performAndWait threw \(failure)")
      }
    } catch { complain("performAndWait threw \(error)") }
  }

  private func runNested() {
    guard depth < 3 else { return }
    depth += 1
    defer { depth -= 1 }
    count(Counters.nestedRuns)
    let mode = (Self.privateModes + [.default, .modalPanel]).randomElement(using: &random)!
    let outer = loop.currentMode
    let ticket = Ticket(.performInMode, on: self)
    loop.perform(inModes: [mode]) { ticket.run() }
    loop.run(mode: mode, for: random.duration(upTo: 1500), returnAfterSourceHandled: random.chance(50))
    if !ticket.hasRun { complain("a nested run returned before the perform of its mode ran") }
    if loop.currentMode != outer { complain("a nested run did not bring the outer mode back") }
  }

  private func attachForeign() {
    let inMode = random.chance(50)
    let ticket = Ticket(inMode ? .foreignInMode : .foreign, on: self)
    let source =
      random.chance(50) ? g_idle_source_new()! : g_timeout_source_new(UInt32.random(in: 0...4, using: &random))!
    g_source_set_priority(source, random.chance(50) ? G_PRIORITY_DEFAULT : G_PRIORITY_DEFAULT_IDLE)
    g_source_set_callback(
      source,
      { ticket in
        Unmanaged<Ticket>.fromOpaque(ticket!).takeUnretainedValue().run()
        return 0
      }, Unmanaged.passRetained(ticket).toOpaque(), { Unmanaged<Ticket>.fromOpaque($0!).release() })
    if inMode {
      let item = loop.add(
        source, forMode: random.chance(70) ? .common : Self.privateModes.randomElement(using: &random)!)
      if random.chance(20) {
        later.append(
          (
            ticket,
            {
              ticket.willCancel()
              item.invalidate()
            }
          ))
      }
    } else {
      g_source_attach(source, loop.context)
    }
    g_source_unref(source)
  }

  private func callOffOne() {
    guard let index = later.indices.randomElement(using: &random) else { return }
    let (ticket, cancel) = later.remove(at: index)
    ticket.willCancel()
    cancel()
    if later.count > 200 { later.removeFirst(100) }
  }

  private func addObserverForAMoment() {
    let observer = GRunLoop.Observer(activities: .all, repeats: random.chance(50), order: 3) { _, _ in }
    loop.add(observer, forMode: .common)
    loop.perform { observer.invalidate() }
  }
}

/// What performs are about.
private final class Target: Sendable {}

/// A thread without a loop that works for those that have one.
func visit(_ town: Town, seed: UInt64, until end: GRunLoop.Instant) {
  var random = Random(seed)
  while .now < end {
    if let life = town.anyone(&random) {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: life.signal()
      case 1: life.writeByte()
      case 2:
        for _ in 0..<20 {
          let ticket = Ticket(.perform, on: life)
          life.loop.perform { ticket.run() }
        }
      case 3:
        let ticket = Ticket(.waited, on: life)
        // Without a limit: the loop runs it, or ends.
        do { try life.loop.performAndWait { ticket.run() } } catch {
          if ticket.hasRun { complain("performAndWait threw \(error), and the closure ran") }
        }
      default:
        let ticket = Ticket(.performInMode, on: life)
        let perform = life.loop.perform(inModes: [.default, .modalPanel]) { ticket.run() }
        if random.chance(50) {
          ticket.willCancel()
          perform.cancel()
        }
      }
    }
    usleep(UInt32.random(in: 0...400, using: &random))
  }
}
