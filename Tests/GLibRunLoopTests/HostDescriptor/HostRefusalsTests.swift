import CFaults
import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct HostRefusalsTests {
  @Test("R11, L4 another thread cannot be the host: an error, and a line")
  func otherThread() async throws {
    try await withPollingHost { host in
      let loop = host.loop
      TestThread {
        #expect(throws: GRunLoop.Failure.wrongThread) { try loop.hostDescriptor() }
        let said = CapturedWarnings.during { #expect(!loop.iterate()) }
        #expect(said.count == 1)
        #expect(said.first?.contains("iterate() was refused") ?? false)
        #expect(said.first?.contains("its own") ?? false)
      }.join()
      let again = try loop.hostDescriptor()
      #expect(again == host.descriptor)
    }
  }

  @Test("R11, L3 a context that nobody has driven is its host's; one that a thread drives is not another's")
  func adopted() async throws {
    let glib = GLibThread()
    let driven = GRunLoop.loop(for: glib.context)
    try await onLoopThread {
      #expect(throws: GRunLoop.Failure.wrongThread) { try driven.hostDescriptor() }
    }
    glib.finish()
    try await onLoopThread {
      let context = g_main_context_new()!
      let loop = GRunLoop.loop(for: context)
      let descriptor = try loop.hostDescriptor()
      #expect(loop.isCurrent)
      let log = Log(of: String.self)
      loop.perform { log.append("done") }
      while log.entries.isEmpty { loop.iterate() }
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      g_main_context_unref(context)
      let said = CapturedWarnings.during { loop.iterate() }
      #expect(said.first?.contains("has ended") ?? false)
      #expect(throws: GRunLoop.Failure.ended) { try loop.hostDescriptor() }
    }
  }

  @Test(
    "R11 a descriptor that cannot be made is an error that says why, and nothing is left behind",
    arguments: [FAULT_EPOLL_CREATE, FAULT_EVENTFD, FAULT_TIMERFD_CREATE, FAULT_EPOLL_ADD])
  func cannotBeMade(_ call: fault_call) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      var said = ""
      Faults.during(call, EMFILE) {
        do { _ = try loop.hostDescriptor() } catch { said = "\(error)" }
      }
      #expect(said.contains("failed: Too many open files"), "\(said)")
      let host = try PollingHost()
      let isDone = Locked(false)
      let other = TestThread { loop.perform { isDone.withLock { $0 = true } } }
      host.run { isDone.withLock { $0 } }
      other.join()
    }
  }

  @Test("R11 what the kernel does not watch is asked for now and then, and one line says so")
  func unwatched() async throws {
    try await withPollingHost { host in
      let pipe = TestPipe()
      var calls = 0
      let source = Foreign.readable(pipe.reader) {
        calls += 1
        pipe.drain()
        return true
      }
      source.attach(to: host.loop.context)
      let said = CapturedWarnings.during {
        Faults.during(FAULT_EPOLL_ADD, ENOSPC) {
          host.loop.iterate()
          pipe.write()
          host.run { calls == 1 }
          pipe.write()
          host.run { calls == 2 }
        }
      }
      #expect(said.count == 1)
      #expect(said.first?.contains("max_user_watches") ?? false, "\(said)")
      // The kernel has room again.
      host.run { !host.poll(milliseconds: 50) }
      pipe.write()
      host.run { calls == 3 }
      g_source_destroy(source)
    }
  }

  @Test("R11 while poll(2) fails the loop's own work goes on, without spinning, and GLib's descriptors wait")
  func pollFails() async {
    // The limit is the process's.
    await #expect(processExitsWith: .success) {
      try await withPollingHost { host in
        let pipes = (0..<20).map { _ in TestPipe() }
        var heard = 0
        for pipe in pipes {
          Foreign.readable(pipe.reader) {
            heard += pipe.drain()
            return true
          }.attach(to: host.loop.context)
        }
        host.loop.iterate()
        host.settle()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // More descriptors than this poll(2) does not take.
        var less = rlimit(rlim_cur: 10, rlim_max: limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &less)
        let log = Log(of: String.self)
        let said = CapturedWarnings.during {
          pipes[0].write()
          for _ in 0..<3 {
            host.loop.perform { log.append("perform") }
            let count = log.count
            host.run { log.count > count }
          }
          var turns = 0
          let end = GRunLoop.Instant.now + .milliseconds(100)
          while GRunLoop.Instant.now < end {
            if host.poll(milliseconds: 5) {
              host.loop.iterate()
              turns += 1
            }
          }
          precondition(turns <= 20, "\(turns)")
        }
        precondition(said.count == 1 && said[0].contains("poll of"), "\(said)")
        precondition(heard == 0)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        host.run { heard == 1 }
      }
    }
  }
}
