import CGLib
import GLibRunLoop
import Testing

@Suite struct OneLoopPerThreadTests {
  @Test("L1 a thread has one loop, in its call-backs too", arguments: Driver.allCases)
  func sameLoop(_ driver: Driver) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      #expect(GRunLoop.current === loop)
      let drive = Drive(driver)
      let seen = Log(of: GRunLoop.self)
      loop.perform { seen.append(.current) }
      loop.perform {
        loop.run(mode: .modalPanel, for: .zero)
        seen.append(.current)
      }
      Foreign.idle {
        seen.append(.current)
        drive.quit()
        return false
      }.attach(to: loop.context)
      drive.run()
      #expect(seen.entries == [loop, loop, loop])
      #expect(GRunLoop.current === loop)
    }
  }

  @Test("L1 every thread has its own")
  func ownLoops() throws {
    let loops = Log(of: GRunLoop.self)
    let asked = Gate<Void>()
    let leave = Gate<Void>()
    // All are alive at the same time, so that none can have got another one's address.
    let threads = (0..<16).map { _ in
      TestThread {
        let loop = GRunLoop.current
        loops.append(loop)
        #expect(loop.isCurrent)
        asked.open()
        leave.wait()
        #expect(GRunLoop.current === loop)
      }
    }
    for _ in threads { asked.wait() }
    #expect(Set(loops.entries).count == threads.count)
    #expect(Set(loops.entries.map(\.context)).count == threads.count)
    #expect(loops.entries.allSatisfy { !$0.isCurrent })
    for _ in threads { leave.open() }
    for thread in threads { thread.join() }
  }

  @Test("L1 the loop is made when it is first asked for, not before")
  func madeOnDemand() async throws {
    try await onLoopThread {
      #expect(g_main_context_get_thread_default() == nil)
      let loop = GRunLoop.current
      #expect(g_main_context_get_thread_default() == loop.context)
    }
  }
}
