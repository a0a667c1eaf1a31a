import CGLib
import GLibRunLoop
import Testing

/// A source that had ended by itself was removed once more by its number: GLib complains, and once the number is given
/// anew, a stranger loses its source.
/// https://github.com/dunst-project/dunst/issues/1196
/// https://github.com/ClusterLabs/pacemaker/pull/1410
/// https://github.com/shutter-project/shutter/issues/768
@Suite struct DoubleRemovalRegression {
  @Test(
    "S8, T6, M8 removing what is gone says nothing and takes nobody else's away (dunst, pacemaker)",
    arguments: Driver.allCases)
  func twice(_ driver: Driver) async {
    // In a process of its own, where a complaint of GLib's is fatal.
    await #expect(processExitsWith: .success) { [driver = driver as Driver] in
      _ = g_log_set_always_fatal(GLogLevelFlags(rawValue: G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue))
      try await onLoopThread {
        let drive = Drive(driver)
        let loop = drive.loop
        let oneShot = GRunLoop.Timer(interval: .milliseconds(1)) { _ in }
        loop.add(oneShot, forMode: .default)
        let idle = loop.add(Foreign.idle { false }, forMode: .common)
        let owned = Foreign.timeout(milliseconds: 60_000) { true }
        let destroyed = loop.add(owned, forMode: .default)
        g_source_destroy(owned)
        g_source_unref(owned)
        drive.run(for: .milliseconds(20))
        #expect(!oneShot.isValid && !idle.isValid)

        // Made last, so that it would have a number that is free again.
        var fires = 0
        Foreign.timeout(milliseconds: 1) {
          fires += 1
          if fires == 3 { drive.quit() }
          return fires < 3
        }.attach(to: loop.context)
        for item in [oneShot, idle, destroyed] as [GRunLoop.Item] {
          for _ in 0..<2 {
            loop.remove(item, forMode: .default)
            loop.remove(item, forMode: .common)
            item.invalidate()
          }
        }
        drive.run()
        #expect(fires == 3)
      }
    }
  }
}
