import GLibRunLoop

extension GRunLoop.Metrics: CustomStringConvertible {
  /// A table for people.
  public var description: String {
    let state = hasEnded ? ", ended" : isWaiting ? ", waiting" : ""
    var lines = ["loop of \(thread?.printable ?? "an unknown thread"), mode \(mode.printable)\(state)"]
    lines += Table.lines(
      ["mode", "items", "timers", "observers", "performs", "signals"],
      modes.map {
        [$0.mode.printable, "\($0.items)", "\($0.timers)", "\($0.observers)", "\($0.performs)", "\($0.signals)"]
      })
    if collectedNanoseconds == 0 { return lines.joined(separator: "\n") }
    lines.append(
      "in \(Self.text(collectedNanoseconds)): \(passes) passes, \(sleeps) sleeps of \(Self.text(sleptNanoseconds)), busy "
        + "\(Int(busyShare * 1000 + 0.5) / 10).\(Int(busyShare * 1000 + 0.5) % 10) %, woken by threads \(wakeUps) times, "
        + "\(mostPerformsQueued) performs queued at most")
    let reasons = wakesByReason.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    if !reasons.isEmpty {
      lines.append("woken by " + reasons.map { "\($0.key.printable) \($0.value)" }.joined(separator: ", "))
    }
    lines += Table.lines(
      ["call-backs", "count", "time"], calls.map { [$0.kind.printable, "\($0.count)", Self.text($0.totalNanoseconds)] })
    let histograms = [
      ("duration", durations), ("timers' lateness", timerLateness), ("performs' wait", performLateness),
    ]
    lines += Table.lines(
      ["", "mean", "half", "99 %", "longest"],
      histograms.filter { $0.1.count > 0 }.map { name, values in
        [name]
          + [values.mean, values.quantile(0.5), values.quantile(0.99), values.longest]
          .map { Self.text($0.wholeNanoseconds) }
      })
    lines += Table.lines(
      ["slowest", "count", "mean", "longest", "where"],
      slowest.map { cost in
        [
          (cost.name ?? cost.kind).printable, "\(cost.count)",
          Self.text(cost.totalNanoseconds / Int64(clamping: max(1, cost.count))),
          Self.text(cost.longestNanoseconds), cost.place?.printable ?? "",
        ]
      })
    return lines.joined(separator: "\n")
  }

  /// Three figures and a unit.
  static func text(_ nanoseconds: Int64) -> String {
    for (unit, length) in [("s", Int64(1_000_000_000)), ("ms", 1_000_000), ("µs", 1000)] where nanoseconds >= length {
      let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: length)
      if whole >= 100 { return "\(whole) \(unit)" }
      let digits = whole >= 10 ? 1 : 2
      let part = rest / (length / (digits == 1 ? 10 : 100))
      return "\(whole)." + (digits == 2 && part < 10 ? "0\(part)" : "\(part)") + " \(unit)"
    }
    return "\(nanoseconds) ns"
  }

  /// One line of JSON, with the names of this type's properties: what an encoder would write.
  public var json: String {
    var json = JSONText()
    write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func write(to json: inout JSONText) {
    json.object { json in
      if let thread { json.field("thread", thread) }
      json.field("mode", mode)
      json.field("isWaiting", isWaiting)
      json.field("hasEnded", hasEnded)
      json.list("modes", modes) { json, mode in
        json.field("mode", mode.mode)
        json.field("isCommon", mode.isCommon)
        json.field("items", mode.items)
        json.field("timers", mode.timers)
        json.field("observers", mode.observers)
        json.field("performs", mode.performs)
        json.field("signals", mode.signals)
      }
      json.field("collectedNanoseconds", collectedNanoseconds)
      json.field("passes", passes)
      json.field("sleeps", sleeps)
      json.field("sleptNanoseconds", sleptNanoseconds)
      json.field("busyNanoseconds", busyNanoseconds)
      json.next("wakesByReason")
      json.object { json in
        for (name, count) in wakesByReason.sorted(by: { $0.key < $1.key }) { json.field(name, count) }
      }
      json.field("wakeUps", wakeUps)
      json.list("calls", calls) { json, calls in
        json.field("kind", calls.kind)
        json.field("count", calls.count)
        json.field("totalNanoseconds", calls.totalNanoseconds)
      }
      json.histogram("durations", durations)
      json.histogram("timerLateness", timerLateness)
      json.histogram("performLateness", performLateness)
      json.field("mostPerformsQueued", mostPerformsQueued)
      json.list("slowest", slowest) { json, cost in
        json.field("kind", cost.kind)
        if let name = cost.name { json.field("name", name) }
        if let place = cost.place { json.field("place", place) }
        json.field("count", cost.count)
        json.field("totalNanoseconds", cost.totalNanoseconds)
        json.field("longestNanoseconds", cost.longestNanoseconds)
      }
    }
  }
}

extension JSONText {
  fileprivate mutating func list<Element>(
    _ name: String, _ elements: [Element], _ body: (inout JSONText, Element) -> Void
  ) {
    next(name)
    array { json in
      for element in elements {
        json.next()
        json.object { body(&$0, element) }
      }
    }
  }

  fileprivate mutating func histogram(_ name: String, _ values: GRunLoop.Metrics.Histogram) {
    next(name)
    object { json in
      json.next("buckets")
      json.array { json in
        for count in values.buckets {
          json.next()
          json.raw("\(count)")
        }
      }
      json.field("count", values.count)
      json.field("totalNanoseconds", values.totalNanoseconds)
      json.field("longestNanoseconds", values.longestNanoseconds)
    }
  }
}

/// Rows in aligned columns.
private enum Table {
  static func lines(_ head: [String], _ rows: [[String]]) -> [String] {
    if rows.isEmpty { return [] }
    let all = [head] + rows
    let widths = head.indices.map { column in all.map { $0[column].count }.max()! }
    return all.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        // Words to the left, figures to the right.
        return column == 0 || head[column] == "where" ? cell + space : space + cell
      }
      var line = "  " + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
