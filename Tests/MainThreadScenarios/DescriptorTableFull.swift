import CGLib
import GLibRunLoop
import Glibc

/// Takes every descriptor that the process may still open.
final class FullTable {
  private var taken: [CInt] = []

  init() {
    // Few, so that it does not take long.
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    while true {
      let descriptor = dup(0)
      if descriptor < 0 { break }
      taken.append(descriptor)
    }
    expectEqual(errno, EMFILE, "what the table says")
  }

  func giveBack(_ count: Int) { for _ in 0..<count { close(taken.removeLast()) } }
}

/// A loop that is there goes on, refuses what needs a descriptor, and takes it once there is one.
@MainActor func descriptorTableFull() {
  let loop = GRunLoop.main
  let drive = MainDrive()
  let pipe = Pipe()
  pipe.writeByte()
  let log = Log(of: String.self)
  Warnings.capture()
  let table = FullTable()

  let input = GRunLoop.DescriptorSource(fileDescriptor: pipe.readEnd, events: .readable) { input, _ in
    log.append("descriptor")
    input.invalidate()
    drive.quit()
  }
  expect(!loop.add(input, forMode: .default), "a descriptor is watched without a set")
  expect(Warnings.contain("epoll_create1 failed: Too many open files; close descriptors"), "nothing was said of it")
  let wall = GRunLoop.Timer(fireDate: .now(on: .wall) + .milliseconds(1)) { _ in
    log.append("wall")
    drive.quit()
  }
  expect(!loop.add(wall, forMode: .default), "there is an alarm without a descriptor")
  expect(Warnings.contain("timerfd_create failed: Too many open files; close descriptors"), "nothing was said of it")

  // All else goes on.
  let source = GRunLoop.Source { source in
    log.append("source")
    source.invalidate()
  }
  loop.add(source, forMode: .default)
  source.signal()
  let start = GRunLoop.Instant.now
  loop.add(
    GRunLoop.Timer(interval: .milliseconds(5)) { _ in
      expect(.now - start >= .milliseconds(5), "a timer was early")
      log.append("timer")
    }, forMode: .default)
  let other = OtherThread {
    while !loop.isWaiting { sched_yield() }
    loop.perform {
      log.append("perform")
      loop.perform(after: .milliseconds(10)) { drive.quit() }
    }
  }
  drive.run()
  other.join()
  expectEqual(Set(log.entries), ["source", "timer", "perform"], "what goes on")

  table.giveBack(4)
  expect(loop.add(input, forMode: .default), "the descriptor is not watched once there is room")
  drive.run()
  expect(loop.add(wall, forMode: .default), "the alarm is not there once there is room")
  drive.run()
  expectEqual(Array(log.entries.suffix(2)), ["descriptor", "wall"], "what was refused first")
}

/// A thread's first loop: GLib ends the process when a main context cannot be made, and says why.
@MainActor func loopWithoutDescriptors() {
  _ = GRunLoop.main
  _ = FullTable()
  OtherThread { _ = GRunLoop.current }.join()
}

/// A private mode's first run needs a context of its own.
@MainActor func privateModeWithoutDescriptors() {
  let loop = GRunLoop.main
  loop.add(GRunLoop.Source { _ in }, forMode: "private")
  _ = FullTable()
  loop.run(mode: "private", for: .zero)
}
