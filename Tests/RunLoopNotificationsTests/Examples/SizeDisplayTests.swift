import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct SizeDisplayTests {
  @Test("E8, N2, N3 one post when the typist rests", arguments: Driver.allCases)
  func onePost(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let editor = Editor()
      let sizes = Log(of: Int.self)
      nonisolated(unsafe) let display = editor
      let token = NotificationCenter.default.addObserver(forName: .textDidChange, object: editor, queue: nil) { _ in
        sizes.append(display.text.count)
        drive.quit()
      }
      // The next key is there before the loop comes to rest.
      var keys = Array("run loop".reversed())
      let keyboard = GRunLoop.Source { source in
        editor.type(keys.removeLast())
        if !keys.isEmpty { source.signal() }
      }
      drive.loop.add(keyboard, forMode: .default)
      keyboard.signal()
      drive.run()
      #expect(sizes.entries == ["run loop".count])
      NotificationCenter.default.removeObserver(token)
    }
  }
}
