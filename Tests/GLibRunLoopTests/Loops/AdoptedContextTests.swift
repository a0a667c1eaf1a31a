import CGLib
import GLibRunLoop
import Glibc
import Testing

@Suite struct AdoptedContextTests {
  @Test("L3 the same context gives the same loop, another one another")
  func sameLoop() {
    let (first, second) = (GLibThread(), GLibThread())
    let loop = GRunLoop.loop(for: first.context)
    #expect(GRunLoop.loop(for: first.context) === loop)
    #expect(loop.context == first.context)
    #expect(GRunLoop.loop(for: second.context) !== loop)
    #expect(!loop.isCurrent)
    #expect(throws: Never.self) {
      let found = try loop.performAndWait { GRunLoop.loop(for: loop.context) }
      #expect(found === loop)
    }
    first.finish()
    second.finish()
  }

  @Test("L3, L4 work of every kind gets onto the GLib thread, from another one")
  func workGetsThere() throws {
    let host = GLibThread()
    let loop = GRunLoop.loop(for: host.context)
    let log = Log(of: String.self)
    let done = Gate<Void>()
    let thread = try loop.performAndWait { pthread_self() }
    #expect(thread != pthread_self())
    let pipe = BytePipe()
    @Sendable func note(_ what: String) {
      #expect(pthread_self() == thread && loop.isCurrent)
      log.append(what)
      if log.count == 5 { done.open() }
    }
    let source = GRunLoop.Source(sendableHandler: { _ in note("source") })
    let timer = GRunLoop.Timer(interval: .milliseconds(1), sendableHandler: { _ in note("timer") })
    let input = GRunLoop.DescriptorSource(
      fileDescriptor: pipe.readEnd, events: .readable,
      sendableHandler: { input, _ in
        input.invalidate()
        note("descriptor")
      })
    let observer = GRunLoop.Observer(
      activities: .beforeTimers, repeats: false, sendableHandler: { _, _ in note("observer") })
    for item in [source, timer, input, observer] { #expect(loop.add(item, forMode: .common)) }
    source.signal()
    pipe.put()
    loop.perform { note("perform") }
    done.wait()
    #expect(Set(log.entries) == ["source", "timer", "descriptor", "observer", "perform"])
    #expect(try loop.performAndWait(timeout: .seconds(30)) { 42 } == 42)
    host.finish()
  }

  @Test("L3 a thread-default context that was adopted is that thread's own loop as well")
  func adoptedIsCurrent() throws {
    let host = GLibThread(isThreadDefault: true)
    let loop = GRunLoop.loop(for: host.context)
    let current = try loop.performAndWait { GRunLoop.current }
    #expect(current === loop)
    host.finish()
  }

  @Test("L3 Swift runs nest on the GLib thread, and its loop can be quit from there")
  func nestedRun() throws {
    let host = GLibThread()
    let loop = GRunLoop.loop(for: host.context)
    let result = try loop.performAndWait {
      let timer = GRunLoop.Timer(interval: .milliseconds(1)) { _ in loop.stop() }
      loop.add(timer, forMode: "private")
      return loop.run(mode: "private", for: .seconds(30))
    }
    #expect(result == .stopped)
    loop.perform { host.quit() }
    host.join()
  }

  @Test("L3 work that came before the thread ran its context is done once it does")
  func workBeforeTheRun() {
    let context = g_main_context_new()!
    let mainLoop = g_main_loop_new(context, 0)!
    nonisolated(unsafe) let pointers = (context, mainLoop)
    let log = Log(of: String.self)
    let loop = GRunLoop.loop(for: context)
    loop.perform { log.append("first") }
    loop.perform {
      log.append("second")
      g_main_loop_quit(pointers.1)
    }
    TestThread { g_main_loop_run(pointers.1) }.join()
    #expect(log.entries == ["first", "second"])
    g_main_loop_unref(mainLoop)
    g_main_context_unref(context)
  }
}
