import CGLib
import GLibRunLoop
import Testing

@Suite struct ForeignContextInModesTests {
  @Test(
    "M8, M2 what is attached to a foreign context fires in its modes only",
    arguments: [["a"], [.modalPanel], [.default, "b"], [.common], [.common, "b"]] as [[GRunLoop.Mode]], Driver.allCases)
  func onlyInItsModes(_ added: [GRunLoop.Mode], _ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let context = GRunLoop.ForeignContext()
      let seen = Log(of: String.self)
      let pipe = BytePipe()
      pipe.put()
      // As a library does that knows nothing of modes; what its call-backs start is the context's, too.
      context.asThreadDefault {
        attach(
          Foreign.readable(pipe.readEnd) {
            seen.append("descriptor")
            attach(
              Foreign.idle {
                seen.append("started")
                return false
              })
            return true
          })
      }
      #expect(loop.add(context, forModes: added))
      let common: Set<GRunLoop.Mode> = [.default, .modalPanel, .eventTracking]
      let expected = Set(added).subtracting([.common]).union(added.contains(.common) ? common : [])
      let modes: [GRunLoop.Mode] = ["a", .modalPanel, "c", .default, "b", .eventTracking, "a"]
      // So that every mode runs.
      for mode in modes { loop.add(GRunLoop.Source { _ in }, forMode: mode) }
      for mode in modes {
        let before = seen.count
        // In the first turn the descriptor, in the next what that started.
        for _ in 0..<3 { driver.poll(loop, mode: mode) }
        let fired = Set(seen.entries.dropFirst(before))
        #expect(fired == (expected.contains(mode) ? ["descriptor", "started"] : []), "in \(mode), driver \(driver)")
      }
      context.invalidate()
      withExtendedLifetime(pipe) {}
    }
  }

  @Test(
    "M8, M5 it keeps its mode running, and ends a run that waits for a source",
    arguments: ["a", .modalPanel] as [GRunLoop.Mode])
  func keepsModeAlive(_ mode: GRunLoop.Mode) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let context = GRunLoop.ForeignContext()
      loop.add(context, forMode: mode)
      #expect(loop.run(mode: mode, for: .milliseconds(5)) == .timedOut)
      Foreign.timeout(milliseconds: 5) { false }.attach(to: context.context)
      #expect(loop.run(mode: mode, for: .seconds(60), returnAfterSourceHandled: true) == .handledSource)
      loop.remove(context, forMode: mode)
      #expect(loop.run(mode: mode, for: .seconds(60)) == .finished)
    }
  }
}

private func attach(_ source: Foreign.Source) { source.attach(to: g_main_context_get_thread_default()!) }
