import CGLib
import GLibRunLoop
import Glibc

/// The child shares the parent's descriptors, wake-ups included; whatever it calls, the parent sleeps on.
@MainActor func forkedChildNeverWakesParent() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let source = GRunLoop.Source { _ in fail("a source of the parent's fired") }
  let timer = GRunLoop.Timer(fireDate: .distantFuture) { _ in fail("a timer of the parent's fired") }
  loop.add(source, forMode: .common)
  loop.add(timer, forMode: .common)
  let asleep = Pipe()
  let done = Pipe()
  expectChild {
    asleep.awaitByte()
    Warnings.capture()
    for _ in 0..<10 {
      loop.wakeUp()
      loop.stop()
      loop.perform { fail("a perform of the child's ran") }
      loop.perform(inModes: [.default], after: .zero) { fail("a delayed perform of the child's ran") }
      source.signal()
      timer.fireDate = .distantPast
      loop.run(mode: .default, for: .zero)
      loop.remove(source, forMode: .common)
      timer.invalidate()
    }
    // So long that a wake-up would be the parent's before the byte is.
    usleep(300_000)
    done.writeByte()
  } meanwhile: {
    let log = Log(of: String.self)
    let observer = GRunLoop.Observer(activities: [.beforeWaiting, .afterWaiting]) { _, activity in
      log.append(activity == .beforeWaiting ? "sleeps" : "wakes")
      if log.count == 1 { asleep.writeByte() }
    }
    let input = GRunLoop.DescriptorSource(fileDescriptor: done.readEnd, events: .readable) { input, _ in
      log.append("byte")
      input.invalidate()
      drive.quit()
    }
    loop.add(input, forMode: .common)
    loop.add(observer, forMode: .common)
    drive.run()
    observer.invalidate()
    expectEqual(log.entries, ["sleeps", "wakes", "byte"], "the parent's loop")
  }
  expect(source.isValid && timer.isValid, "the child's calls changed the parent's items")
}

/// A pipe that carries single bytes as signs.
struct Pipe {
  let readEnd: CInt
  private let writeEnd: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    pipe(&ends)
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  func writeByte() {
    var byte: UInt8 = 1
    write(writeEnd, &byte, 1)
  }

  func awaitByte() {
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) < 0 {}
  }
}
