import GLibRunLoop
import Glibc
import Testing

@Suite struct SequenceDescriptorsTests {
  @Test("C6 a thousand sequences that came and went leave no descriptor and no item behind")
  func counted() async {
    await #expect(processExitsWith: .success) {
      let worker = LoopWorker()
      let loop = worker.loop
      let pipe = TestPipe()
      pipe.write()
      func round() async {
        for await _ in loop.events(.readable, of: pipe.reader) { break }
        for await _ in loop.ticks(every: .microseconds(200)) { break }
        let listener = Task { for await _ in loop.signals(SIGUSR1, SIGUSR2) {} }
        let sleeper = Task { try await loop.clock().sleep(for: .seconds(3600)) }
        await Task.yield()
        listener.cancel()
        sleeper.cancel()
        await listener.value
        _ = await sleeper.result
      }
      for _ in 0..<10 { await round() }
      for _ in 0..<100 { try? await loop.settle() }
      let before = OpenDescriptors.count
      for _ in 0..<250 { await round() }
      // What a task holds goes with the task, which may be a moment after its value has come.
      let limit = GRunLoop.Instant.now + .seconds(30)
      while OpenDescriptors.count > before, .now < limit { try? await loop.settle() }
      #expect(OpenDescriptors.count <= before)
      for kind in ["Timer", "DescriptorSource", "SignalSource"] { #expect(loop.count(of: kind) == 0) }
      worker.finish()
    }
  }
}
