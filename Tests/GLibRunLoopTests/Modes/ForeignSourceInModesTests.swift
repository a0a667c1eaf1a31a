import CGLib
import GLibRunLoop
import Testing

@Suite struct ForeignSourceInModesTests {
  enum Kind: CaseIterable {
    case timeout, descriptor

    /// One that is ready at once, and stays so.
    func make(_ pipe: BytePipe, _ callback: @escaping () -> Bool) -> Foreign.Source {
      switch self {
      case .timeout: Foreign.timeout(milliseconds: 0, callback)
      case .descriptor: Foreign.readable(pipe.readEnd, callback)
      }
    }
  }

  /// The modes in which a source that was added in `added` must fire, of all that the tests run.
  private static func expected(_ added: [GRunLoop.Mode]) -> Set<GRunLoop.Mode> {
    let common: Set<GRunLoop.Mode> = [.default, .modalPanel, .eventTracking]
    return Set(added).subtracting([.common]).union(added.contains(.common) ? common : [])
  }

  @Test(
    "M8, M2 a GSource fires in the modes that it was added in, and only there",
    arguments: [["a"], [.modalPanel], [.default], ["a", "b", .modalPanel], [.common], [.common, "b"]]
      as [[GRunLoop.Mode]], Driver.allCases)
  func onlyInItsModes(_ added: [GRunLoop.Mode], _ driver: Driver) async throws {
    for kind in Kind.allCases {
      try await onLoopThread {
        let loop = GRunLoop.current
        let pipe = BytePipe()
        pipe.put()
        let seen = Log(of: GRunLoop.Mode?.self)
        let source = kind.make(pipe) {
          seen.append(loop.currentMode)
          return true
        }
        let items = added.map { loop.add(source, forMode: $0) }
        g_source_unref(source)
        #expect(items.allSatisfy { $0 === items[0] && $0.isValid })
        let modes: [GRunLoop.Mode] = ["a", .modalPanel, "c", .default, "b", .eventTracking, "a"]
        // So that every mode runs.
        for mode in modes { loop.add(GRunLoop.Source { _ in }, forMode: mode) }
        for mode in modes {
          let before = seen.count
          driver.poll(loop, mode: mode)
          let isIn = Self.expected(added).contains(mode)
          #expect(seen.entries.dropFirst(before).contains(mode) == isIn, "\(kind) in \(mode), driver \(driver)")
          #expect(seen.entries.dropFirst(before).allSatisfy { $0 == mode })
          #expect(loop.contains(items[0], inMode: mode) == isIn)
        }
        items[0].invalidate()
        withExtendedLifetime(pipe) {}
      }
    }
  }

  @Test("M8 it wakes a loop that sleeps, and keeps its mode alive", arguments: ["a", .modalPanel] as [GRunLoop.Mode])
  func wakes(_ mode: GRunLoop.Mode) async throws {
    for kind in Kind.allCases {
      try await onLoopThread {
        let loop = GRunLoop.current
        let pipe = BytePipe()
        let source = kind.make(pipe) {
          pipe.take()
          return false
        }
        if kind == .timeout { pipe.put() }
        // Not ready before the loop sleeps.
        g_source_set_ready_time(source, kind == .timeout ? g_get_monotonic_time() + 5000 : -1)
        let item = loop.add(source, forMode: mode)
        g_source_unref(source)
        let writer = TestThread { if kind == .descriptor { pipe.put() } }
        #expect(loop.run(mode: mode, for: .seconds(60), returnAfterSourceHandled: true) == .handledSource)
        // Its call-back ended it: it has left the mode, and the mode is empty.
        #expect(!item.isValid && !loop.contains(item, inMode: mode))
        #expect(loop.run(mode: mode, for: .seconds(60)) == .finished)
        writer.join()
      }
    }
  }
}
