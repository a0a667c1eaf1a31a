import GLibRunLoop
import Testing

@Suite struct ModeNamesTests {
  @Test("M1 the documented modes have Apple's names; every other string is a mode as well")
  func names() {
    #expect(GRunLoop.Mode.default.rawValue == "kCFRunLoopDefaultMode")
    #expect(GRunLoop.Mode.common.rawValue == "kCFRunLoopCommonModes")
    #expect(GRunLoop.Mode.modalPanel.rawValue == "NSModalPanelRunLoopMode")
    #expect(GRunLoop.Mode.eventTracking.rawValue == "NSEventTrackingRunLoopMode")
    #expect(GRunLoop.Mode.connectionReply.rawValue == "NSConnectionReplyMode")
    #expect(GRunLoop.Mode("player") == "player")
    #expect(GRunLoop.Mode(rawValue: "kCFRunLoopDefaultMode") == .default)
    #expect(GRunLoop.Mode("player") != "Player")
  }

  @Test(
    "M1, M7 a run is in the mode that it was asked for, whatever the name",
    arguments: [.default, .modalPanel, .eventTracking, .connectionReply, "player", " ", "プレーヤー", "default"]
      as [GRunLoop.Mode])
  func everyRunHasItsMode(_ mode: GRunLoop.Mode) async throws {
    try await onLoopThread {
      let loop = GRunLoop.current
      let seen = Log(of: GRunLoop.Mode?.self)
      #expect(loop.currentMode == nil)
      loop.perform(inModes: [mode]) { seen.append(loop.currentMode) }
      let observer = GRunLoop.Observer(activities: [.entry, .exit]) { _, _ in seen.append(loop.currentMode) }
      loop.add(observer, forMode: mode)
      #expect(loop.run(mode: mode, for: .zero) == .timedOut)
      #expect(seen.entries == [mode, mode, mode])
      #expect(loop.currentMode == nil)
    }
  }
}
