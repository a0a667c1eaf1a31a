import GLibRunLoop
import Glibc
import Testing

@Suite struct LoopAtThreadExitTests {
  @Test("L5 a thread that asks for its loop in its last moments finds one that has ended, and makes none")
  func askedLate() {
    let log = Log(of: String.self)
    // The key's destructors run after the loop has ended.
    var key = pthread_key_t()
    pthread_key_create(&key) { box in
      let log = Unmanaged<Log<String>>.fromOpaque(box!).takeRetainedValue()
      let loop = GRunLoop.current
      do {
        try loop.performAndWait {}
        log.append("ran")
      } catch {
        log.append(error as? GRunLoop.Failure == .ended ? "ended" : "\(error)")
      }
      log.append(GRunLoop.current === loop ? "same" : "another")
    }
    let made = key
    TestThread {
      pthread_setspecific(made, Unmanaged.passRetained(log).toOpaque())
      #expect(GRunLoop.current.isCurrent)
    }.join()
    #expect(log.entries == ["ended", "same"])
    pthread_key_delete(key)
  }
}
