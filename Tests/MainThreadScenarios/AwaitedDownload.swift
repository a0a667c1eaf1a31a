import GLibRunLoop

/// A download in asynchronous code of the main actor: the work is done elsewhere, progress comes to the main actor.
@MainActor func awaitedDownload() {
  // What puts the loop into the default context, which GLib may run.
  _ = GRunLoop.main
  let drive = MainDrive()
  let window = Window()
  Task {
    do {
      try await show("a page", in: window)
    } catch {
      fail("it threw \(error)")
    }
    drive.quit()
  }
  drive.run()
  expectEqual(window.log.first, "spinner")
  expectEqual(Array(window.log.suffix(2)), ["no spinner", "the contents of a page"])
}

@MainActor private func show(_ address: String, in window: Window) async throws {
  window.showSpinner()
  let page = try await GRunLoop.main.background { report in
    try fetch(address) { received in report(received) }
  } progress: { received in
    window.show(progress: received)
  }
  window.hideSpinner()
  window.show(page)
}

@Sendable private func fetch(_ address: String, _ received: (Int) -> Void) throws -> String {
  expect(!isFirstThread, "the work is done on the main thread")
  for percent in 1...100 { received(percent) }
  return "the contents of \(address)"
}

@MainActor private final class Window {
  private(set) var log: [String] = []

  func showSpinner() { note("spinner") }
  func hideSpinner() { note("no spinner") }
  func show(progress: Int) { note("\(progress) %") }
  func show(_ text: String) { note(text) }

  private func note(_ text: String) {
    expect(isFirstThread, "\(text) came on another thread")
    log.append(text)
  }
}
