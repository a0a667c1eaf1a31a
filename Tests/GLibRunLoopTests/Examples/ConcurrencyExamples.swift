import CGLib
import GLibRunLoop
import Glibc
import Testing

// The code of the page "Swift concurrency on a loop", compiled and run.

nonisolated(unsafe) private let playerContext: OpaquePointer = GLibThread.forExamples.context

extension GLibThread {
  fileprivate static let forExamples = GLibThread(isThreadDefault: true)
}

@globalActor actor PlayerActor: GRunLoop.PinnedActor {
  static let shared = PlayerActor()
  // A GMainContext that the player's own thread runs.
  nonisolated let loop = GRunLoop.loop(for: playerContext)
}

@PlayerActor final class Playlist {
  private var songs: [String] = []
  func append(_ song: String) { songs.append(song) }

  var count: Int { songs.count }
}

actor Meter: GRunLoop.PinnedActor {
  nonisolated let loop: GRunLoop
  var buffers = 0

  init(loop: GRunLoop) { self.loop = loop }
}

@Suite(.patient) struct ConcurrencyExamples {
  @Test("C5, C3 awaited performs, and actors on a loop's thread")
  func performsAndActors() async throws {
    let worker = LoopWorker()
    let loop = worker.loop
    let window = SharedWindow()
    let title = try await loop.performAndWait { window.title }
    #expect(title == "Untitled")

    let playlist = Playlist()
    await playlist.append("one")
    #expect(await playlist.count == 1)

    let onBuffer: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
      let meter = Unmanaged<Meter>.fromOpaque(data!).takeUnretainedValue()
      meter.assumeIsolated { $0.buffers += 1 }
    }
    let meter = Meter(loop: loop)
    loop.perform(onBuffer, Unmanaged.passUnretained(meter).toOpaque())
    try await loop.settle()
    #expect(await meter.buffers == 1)
    worker.finish()
  }

  @Test("C6 time and events")
  func timeAndEvents() async throws {
    let worker = LoopWorker()
    let loop = worker.loop
    let clock = loop.clock()
    try await clock.sleep(for: .milliseconds(20), tolerance: .milliseconds(5))
    let reply = try await withTimeout(.seconds(5), clock: clock) { try await ask() }
    #expect(reply == 42)

    let frame = Frame()
    for await date in loop.ticks(every: .milliseconds(5), tolerance: .milliseconds(1)) {
      frame.draw(at: date)
      if frame.isLast { break }
    }
    #expect(frame.dates.count == 3)

    let pipe = TestPipe()
    pipe.write(3)
    pipe.closeWriter()
    let descriptor = pipe.reader
    for await events in loop.events(.readable, of: descriptor) {
      guard readMore(from: descriptor), !events.contains(.hungUp) else { break }
    }
    #expect(pipe.drain() == 0)
    worker.finish()
  }

  @concurrent private func ask() async throws -> Int { 42 }

  private func readMore(from descriptor: CInt) -> Bool { drain(descriptor) > 0 }

  private struct SharedWindow: Sendable { let title = "Untitled" }

  private final class Frame {
    var dates: [GRunLoop.Instant] = []
    func draw(at date: GRunLoop.Instant) { dates.append(date) }
    var isLast: Bool { dates.count == 3 }
  }
}
