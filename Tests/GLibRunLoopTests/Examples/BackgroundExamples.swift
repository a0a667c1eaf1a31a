import GLibRunLoop
import Testing

// The code of the page "Work in the background", compiled and run.

@Suite struct BackgroundExamples {
  @Test(
    "E6, A1, A3 a download: a spinner, progress, the result; whoever must wait pumps meanwhile",
    arguments: Driver.allCases)
  func download(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let window = Window()
      let address = "a page"
      let fetch = Self.fetch
      let download = GRunLoop.BackgroundTask(
        pre: { window.showSpinner() },
        background: { report in
          try fetch(address) { received in report(received) }
        },
        progress: { received in window.show(progress: received) },
        post: { result in
          window.hideSpinner()
          switch result {
          case .success(let page): window.show(page)
          case .failure(is CancellationError): window.show("cancelled")
          case .failure(let error): window.show("\(error)")
          }
        })
      download.start()
      if !download.wait(mode: .modalPanel, until: .now + .seconds(10)) { download.cancel() }
      #expect(window.log.first == "spinner" && window.log.suffix(2) == ["no spinner", "the contents of a page"])
      #expect(window.log.contains("100 %"))

      let files = [1, 2, 3, 4, 5, 6]
      let conversions = files.map { file in
        GRunLoop.BackgroundTask(background: { try convert(file) }, post: { window.show($0) })
      }
      GRunLoop.BackgroundTask(group: conversions, atOnce: 4, post: { _ in window.show("all done") }).start()
      window.quit = { drive.quit() }
      drive.run()
      #expect(window.log.suffix(7).last == "all done")
      window.quit = nil
    }
  }

  @Test("E6, A1 the same in asynchronous code, on the main loop", arguments: MainDriver.allCases)
  func awaited(_ driver: MainDriver) async throws { try await runScenario("AwaitedDownload", driver) }

  static let fetch: @Sendable (String, (Int) -> Void) throws -> String = { address, received in
    for percent in 1...100 { received(percent) }
    return "the contents of \(address)"
  }

  private final class Window {
    var log: [String] = []
    var quit: (() -> Void)?

    func showSpinner() { log.append("spinner") }
    func hideSpinner() { log.append("no spinner") }
    func show(progress: Int) { log.append("\(progress) %") }

    func show(_ text: String) {
      log.append(text)
      if text == "all done" { quit?() }
    }

    func show(_ result: Result<Int, any Error>) { log.append("\(result)") }
  }
}

@Sendable private func convert(_ file: Int) throws -> Int { file * 2 }
