import Foundation
import FoundationNetworking
import GLibRunLoop
import RunLoopFoundation

/// What of Foundation's stands on Dispatch works with and without the call.
@MainActor func foundationOnDispatch() {
  let drive = MainDrive()
  if CommandLine.arguments.last == "served" { GRunLoop.serveFoundation() } else { _ = GRunLoop.main }
  let log = Log(of: String.self)
  let note: @Sendable (String) -> Void = { name in
    expect(isFirstThread, "\(name) ran on another thread")
    log.append(name)
    if log.count == 3 { MainActor.assumeIsolated { drive.quit() } }
  }
  OperationQueue.main.addOperation { note("operation") }
  let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
  session.dataTask(with: URL(string: "data:text/plain,hello")!) { data, _, error in
    expectEqual(data.map { String(decoding: $0, as: UTF8.self) }, "hello", "\(error as Any)")
    note("session")
  }.resume()
  _ = NotificationCenter.default.addObserver(forName: .init("news"), object: nil, queue: .main) { _ in
    note("notification")
  }
  OperationQueue().addOperation { NotificationCenter.default.post(name: .init("news"), object: nil) }
  drive.run()
  expectEqual(log.entries.sorted(), ["notification", "operation", "session"], "what ran")
}

/// With nothing due, Foundation's loop costs no wake-up.
@MainActor func foundationIdle() {
  GRunLoop.serveFoundation()
  let drive = MainDrive()
  let far = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in fail("a timer fired early") }
  RunLoop.main.perform {}
  var sleeps = Int.max
  // What a busy machine does can only add to the count.
  for _ in 0..<10 where sleeps > 3 {
    var before = 0
    GRunLoop.main.add(
      GRunLoop.Timer(interval: .milliseconds(100)) { (_: GRunLoop.Timer) in before = voluntarySwitches() },
      forMode: .common
    )
    GRunLoop.main.add(
      GRunLoop.Timer(interval: .milliseconds(600)) { (_: GRunLoop.Timer) in drive.quit() }, forMode: .common)
    drive.run()
    sleeps = voluntarySwitches() - before
  }
  // The one sleep between the two, and as many again for a lock that another thread holds.
  expect(sleeps <= 3, "\(sleeps) sleeps in an idle half second")
  far.invalidate()
}
