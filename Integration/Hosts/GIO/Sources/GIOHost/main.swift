// A GSocketService and a GFileMonitor in private modes of the main loop, whoever drives.
// rule: M2, M6, M8
import GLibRunLoop
import Glibc
import HostKit

guard let drive = Drive(rawValue: CommandLine.arguments.dropFirst().first ?? "swift") else {
  print("usage: GIOHost swift|glib")
  exit(2)
}
checkSocketService(drive)
checkFileMonitor(drive)
