import GLibRunLoop

/// A worker's source registers itself with the main thread, is given commands there, and leaves the list when it ends.
@MainActor func commandBufferExample() {
  // What puts the loop into the default context, which GLib may run.
  _ = GRunLoop.main
  let drive = MainDrive()
  let batches = Log(of: [String].self)
  let worker = OtherThread {
    let source = CommandBuffer().schedule { commands in
      expect(!isFirstThread, "the commands are carried out on the main thread")
      batches.append(commands)
    }
    while batches.entries.last != ["goodbye"] { GRunLoop.current.run(mode: .default, before: .distantFuture) }
    source.invalidate()
  }
  var step = 0
  drive.quitWhen {
    switch step {
    case 0 where CommandClients.registered.count == 1: CommandClients.send("draw", "flush")
    case 1 where batches.count == 1: CommandClients.send("goodbye")
    case 2 where CommandClients.registered.isEmpty: return true
    default: return false
    }
    step += 1
    return false
  }
  drive.run()
  worker.join()
  expectEqual(batches.entries, [["draw", "flush"], ["goodbye"]])
}
