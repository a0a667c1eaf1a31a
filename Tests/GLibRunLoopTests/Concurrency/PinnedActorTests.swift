import CGLib
import GLibRunLoop
import Testing

@Suite(.patient) struct PinnedActorTests {
  @Test("C3 an actor with a loop lives on its thread", arguments: Driver.allCases)
  func actor(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let tuner = Tuner(loop: loop)
      #expect(await tuner.tune(to: 7))
      #expect(await tuner.channel == 7)
    }
  }

  @Test("C3 a global actor can live on a loop, and a class and a closure with it")
  func globalActor() async throws {
    let radio = Radio()
    #expect(await radio.play())
    #expect(await Task { @AudioActor in AudioActor.shared.loop.isCurrent }.value)
  }

  @Test("C3 in a C call-back on its thread assumeIsolated gives its state", arguments: Driver.allCases)
  func inCallBack(_ driver: Driver) async throws {
    try await withDrivenLoop(driver) { loop in
      let tuner = Tuner(loop: loop)
      let idle = g_idle_source_new()!
      g_source_set_callback(
        idle,
        { tuner in
          Unmanaged<Tuner>.fromOpaque(tuner!).takeUnretainedValue().assumeIsolated { $0.channel += 1 }
          return 0
        }, Unmanaged.passRetained(tuner).toOpaque(), { Unmanaged<Tuner>.fromOpaque($0!).release() })
      g_source_attach(idle, loop.context)
      g_source_unref(idle)
      while await tuner.channel == 0 { await Task.yield() }
      let channel = try await loop.performAndWait { tuner.assumeIsolated { $0.channel } }
      #expect(channel == 1)
    }
  }
}

actor Tuner: GRunLoop.PinnedActor {
  nonisolated let loop: GRunLoop
  var channel = 0

  init(loop: GRunLoop) { self.loop = loop }

  func tune(to channel: Int) async -> Bool {
    self.channel = channel
    await Task.yield()
    preconditionIsolated()
    return loop.isCurrent
  }
}

@globalActor actor AudioActor: GRunLoop.PinnedActor {
  static let shared = AudioActor()

  private let worker = LoopWorker()
  nonisolated let loop: GRunLoop

  private init() { loop = worker.loop }
}

@AudioActor final class Radio {
  private var volume = 0

  func play() async -> Bool {
    volume += 1
    await Task.yield()
    return AudioActor.shared.loop.isCurrent && volume == 1
  }
}
