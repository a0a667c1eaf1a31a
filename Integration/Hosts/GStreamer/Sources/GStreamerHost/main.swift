// The messages of a GStreamer pipeline in a private mode of the main loop, whoever drives.
// rule: M2, M6, M8
import CGStreamer
import GLibRunLoop
import Glibc
import HostKit

guard let drive = Drive(rawValue: CommandLine.arguments.dropFirst().first ?? "swift") else {
  print("usage: GStreamerHost swift|glib")
  exit(2)
}
gst_init(nil, nil)
let loop = GRunLoop.main
let player = Player()

// The whole film is played, and all that was said waits: in the default mode, and behind a modal dialog.
drive.run(mode: .default) { quit in player.play(ended: quit) }
drive.run(mode: .modalPanel) { quit in
  loop.add(GRunLoop.Timer(interval: .milliseconds(50)) { _ in quit() }, forMode: .modalPanel)
}
let heardElsewhere = player.heard

// What is common is held now.
var ticks = 0
let timer = GRunLoop.Timer(interval: .milliseconds(1), repeats: true) { _ in ticks += 1 }
loop.add(timer, forMode: .common)
drive.run(mode: "player") { quit in player.onEnd = quit }
let ticksInPlayer = ticks
timer.invalidate()

let posted = player.kindsPosted
let heard = player.heard
player.close()
guard heardElsewhere.isEmpty, ticksInPlayer == 0, posted.count > 1, heard.map(\.kind) == posted,
  heard.allSatisfy({ $0.mode == "player" })
else {
  print("GStreamerHost: \(drive) drives; heard elsewhere: \(heardElsewhere); posted: \(posted); heard: \(heard);")
  print("a common timer fired \(ticksInPlayer) times in the player's mode")
  exit(1)
}
print(
  "GStreamer, \(drive) drives: \(posted.count) messages held in other modes, heard in the player's: \(posted.joined(separator: " "))"
)
