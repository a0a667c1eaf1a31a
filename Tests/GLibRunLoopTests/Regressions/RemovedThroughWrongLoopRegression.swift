import GLibRunLoop
import Testing

/// A source was removed by its number from the default context while it lived in another one: it went on firing, or
/// a stranger's source of that number was removed instead.
/// https://github.com/fwupd/fwupd/pull/10791
/// https://github.com/warmcat/libwebsockets/pull/1977
/// https://github.com/ostreedev/ostree/pull/1961
@Suite struct RemovedThroughWrongLoopRegression {
  @Test(
    "L4, S8 a removal through another loop harms nobody, an invalidation needs no loop (fwupd, libwebsockets)",
    arguments: Driver.allCases)
  func removal(_ driver: Driver) throws {
    let worker = DrivenWorker(driver)
    let mine = GRunLoop.current
    let fires = Log(of: String.self)
    let bystander = GRunLoop.Source(sendableHandler: { _ in fires.append("bystander") })
    let timer = GRunLoop.Timer(
      interval: .milliseconds(1), repeats: true, sendableHandler: { _ in fires.append("timer") })
    mine.add(bystander, forMode: .default)
    worker.loop.add(timer, forMode: .default)

    mine.remove(timer, forMode: .default)
    #expect(worker.loop.contains(timer, inMode: .default))
    #expect(eventually { fires.count >= 3 }, "the wrong loop's removal took it away")
    #expect(mine.contains(bystander, inMode: .default))

    timer.invalidate()
    let count = try worker.loop.performAndWait(timeout: .seconds(30)) { fires.count }
    try worker.loop.performAndWait(timeout: .seconds(30)) {}
    #expect(fires.count == count, "it fired after it was invalidated")
    bystander.invalidate()
    worker.finish()
  }
}
