import CGLib
import GLibRunLoop
import Testing

@Suite struct PriorityTests {
  /// Redraws as GTK does: layout at 110, drawing at 120.
  private static func attachRedraw(to context: OpaquePointer, _ frames: Int, _ log: Log<String>) {
    for (priority, name) in [(CInt(120), "draw"), (110, "layout")] {
      var left = frames
      Foreign.idle(priority: priority) {
        log.append(name)
        left -= 1
        return left > 0
      }.attach(to: context)
    }
  }

  @Test("R10 an idle perform runs after foreign sources at 110 and 120", arguments: Driver.allCases)
  func perform(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let log = Log(of: String.self)
      drive.loop.perform(priority: .idle) {
        log.append("idle")
        drive.quit()
      }
      drive.loop.perform { log.append("perform") }
      Self.attachRedraw(to: drive.loop.context, 3, log)
      drive.run()
      #expect(log.entries == ["perform", "layout", "layout", "layout", "draw", "draw", "draw", "idle"])
    }
  }

  @Test("R10 so do idle timers, sources and descriptors", arguments: Driver.allCases)
  func items(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      let pipe = BytePipe()
      func done(_ name: String) {
        log.append(name)
        if log.count == 9 { drive.quit() }
      }
      loop.add(GRunLoop.Timer(fireDate: .now, priority: .idle) { _ in done("idle timer") }, forMode: .default)
      let source = GRunLoop.Source(priority: .idle) { _ in done("idle source") }
      loop.add(source, forMode: .default)
      source.signal()
      pipe.put()
      let descriptor = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable, priority: .idle) {
        descriptor, _ in
        descriptor.invalidate()
        done("idle descriptor")
      }
      loop.add(descriptor, forMode: .default)
      Self.attachRedraw(to: loop.context, 3, log)
      drive.run()
      #expect(Array(log.entries.prefix(6)) == ["layout", "layout", "layout", "draw", "draw", "draw"])
      #expect(log.entries.dropFirst(6).sorted() == ["idle descriptor", "idle source", "idle timer"])
    }
  }

  @Test("R10 a flood of idle performs leaves layout and drawing alone", arguments: Driver.allCases)
  func idleFlood(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let log = Log(of: String.self)
      @Sendable func repost() { loop.perform(priority: .idle) { repost() } }
      repost()
      var frames = 0
      Foreign.timeout(milliseconds: 1) {
        if log.count == 10 { drive.quit() }
        guard frames < 5 else { return true }
        frames += 1
        Self.attachRedraw(to: loop.context, 1, log)
        return true
      }.attach(to: loop.context)
      drive.run()
      #expect(log.entries.filter { $0 == "draw" }.count == 5)
    }
  }
}
