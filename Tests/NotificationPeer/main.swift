// Another process of a user session, for tests.
//
// ADDRESS is that of a bus, or "session" for the default centre.
//
//   NotificationPeer observe ADDRESS NAME OBJECT COUNT   prints what comes, until so many came; OBJECT may be empty
//   NotificationPeer post ADDRESS NAME OBJECT COUNT TAG  posts so many, numbered, as TAG
import Foundation
import GLibRunLoop
import RunLoopNotifications

func say(_ line: String) {
  print(line)
  fflush(nil)
}

let arguments = CommandLine.arguments
typealias Center = GRunLoop.DistributedNotificationCenter
let center = arguments[2] == "session" ? Center.default : Center(busAddress: arguments[2])
let name = Notification.Name(arguments[3])
let object = arguments[4].isEmpty ? nil : arguments[4]
var left = Int(arguments[5])!
// A test that fails must not leave processes behind.
alarm(120)

switch arguments[1] {
case "observe":
  var limits = center.limits
  limits.messageSize = 1 << 16
  limits.reconnectionPause = .milliseconds(100)
  center.limits = limits
  try center.addObserver(forName: name, object: object, suspensionBehavior: .hold) { @MainActor notification in
    let values = notification.userInfo ?? [:]
    say("\(notification.object ?? "-") \(values["tag"] ?? "-") \(values["number"] ?? "-")")
    left -= 1
    if left == 0 { exit(0) }
  }
  say("ready")
  GRunLoop.main.run()
case "post":
  for number in 0..<left {
    do { try center.post(name: name, object: object, userInfo: ["tag": arguments[6], "number": number]) } catch {
      say("\(error)")
      exit(1)
    }
  }
default: fatalError("unknown task \(arguments[1])")
}
