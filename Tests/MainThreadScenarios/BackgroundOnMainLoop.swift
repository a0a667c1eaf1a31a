import GLibRunLoop

/// A background task whose steps touch the main actor's state without more ado, and awaited performs there.
@MainActor final class Library {
  private let drive = MainDrive()
  private var log: [String] = []

  private func note(_ text: String) {
    MainActor.assertIsolated()
    expect(isFirstThread, "\(text) came on another thread")
    log.append(text)
  }

  func open() {
    let task = GRunLoop.BackgroundTask(
      pre: { self.note("pre") },
      background: { report in
        expect(!isFirstThread, "the background step is on the main thread")
        report(1)
        return 42
      },
      progress: { (update: Int) in self.note("progress \(update)") },
      post: { (result: Result<Int, any Error>) in
        self.note("post \((try? result.get()) ?? 0)")
      })
    let group = GRunLoop.BackgroundTask(group: [task], post: { _ in self.note("group") })
    group.start()
    expect(group.wait(), "the wait ended before the group")
    Task.detached {
      do {
        let count = try await GRunLoop.main.performAndWait { @MainActor in self.log.count }
        expectEqual(count, 4, "seen from another thread")
      } catch {
        fail("an awaited perform threw \(error)")
      }
      await MainActor.run { self.drive.quit() }
    }
    drive.run()
    expectEqual(log, ["pre", "progress 1", "post 42", "group"])
  }
}

@MainActor func backgroundOnMainLoop() { Library().open() }
