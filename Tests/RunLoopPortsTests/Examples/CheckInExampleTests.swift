import GLibRunLoop
import Glibc
import RunLoopPorts
import Testing

@Suite struct CheckInExampleTests {
  @Test("E5 X1 a worker checks in with the main thread's port and its own, and both talk", arguments: Driver.allCases)
  func checkIn(_ driver: Driver) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      var answer: [UInt8] = []
      let port = CheckIn.receiveWorkers {
        answer = $0
        drive.quit()
      }
      let worker = TestThread { CheckIn.workerMain(mainPort: port) }
      drive.run()
      worker.join()
      port.invalidate()
      #expect(answer == [2, 4, 6])
    }
  }

  @Test("E5 X3 the same by names, with request and reply", arguments: Driver.allCases, NamePlace.allCases)
  func checkInByName(_ driver: Driver, _ place: NamePlace) async throws {
    try await onLoopThread {
      let drive = Drive(driver)
      let (mainName, workerName) = (place.name, place.name)
      var answer: [UInt8] = []
      let port = try CheckInByName.receiveWorkers(as: mainName) {
        answer = $0
        drive.quit()
      }
      let worker = TestThread {
        do { try CheckInByName.workerMain(as: workerName, mainName: mainName) } catch { Issue.record(error) }
      }
      drive.run()
      worker.join()
      port.invalidate()
      #expect(answer == [2, 4, 6])
    }
  }

  @Test("E5 the samples in the documentation are the ones that are tested", arguments: ["CheckIn", "CheckInByName"])
  func documented(_ name: String) throws {
    let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    let sample = try text(at: "\(folder)/Tests/RunLoopPortsTests/Examples/\(name)Example.swift")
    let article = try text(at: "\(folder)/Sources/RunLoopPorts/RunLoopPorts.docc/CheckIn.md")
    #expect(article.contains("```swift\n\(sample)```"))
  }

  private func text(at path: String) throws -> String {
    let file = try #require(fopen(path, "r"), "no file \(path)")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
