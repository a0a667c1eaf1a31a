import GLibRunLoop
import Testing

/// Inside a loop that a timer's or a socket's call-back ran, no timer fired and no socket was heard.
/// https://github.com/bitwiseworks/qtbase-os2/issues/59
@Suite struct NestedRunStopsTimersRegression {
  @Test(
    "T10, R6, S5 timers and descriptors go on in a run that one of them nests (Qt)",
    arguments: pairs(Driver.allCases, Work.allCases), [GRunLoop.Mode.default, .modalPanel])
  func goOn(_ combination: (Driver, Work), mode: GRunLoop.Mode) async throws {
    let (driver, outer) = combination
    try await onLoopThread {
      let drive = Drive(driver)
      let loop = drive.loop
      let pipe = TestPipe()
      var log: Set<String> = []
      func note(_ what: String) {
        log.insert(what)
        if log.count == 3 { loop.stop() }
      }
      let timer = GRunLoop.Timer(interval: .milliseconds(2), repeats: true) { _ in note("timer") }
      let socket = GRunLoop.DescriptorSource(fileDescriptor: pipe.reader, events: .readable) { _, _ in
        pipe.drain()
        note("descriptor")
      }
      outer.makeReady {
        loop.add(timer, forMode: .common)
        loop.add(socket, forMode: .common)
        pipe.write()
        Foreign.timeout(milliseconds: 2) {
          note("foreign")
          return false
        }.attach(to: loop.context)
        #expect(loop.run(mode: mode, for: .seconds(30)) == .stopped)
        timer.invalidate()
        socket.invalidate()
        drive.quit()
      }
      drive.run()
      #expect(log == ["timer", "descriptor", "foreign"])
    }
  }
}
