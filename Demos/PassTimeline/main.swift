import GLibRunLoop
import Glibc

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case nil: Scenario(isDrivenByGLib: false).run()
case "--glib": Scenario(isDrivenByGLib: true).run()
case "--help":
  print(
    """
    PassTimeline takes the main loop through a small scenario and prints what fired when, in which mode and how deep.

    usage: PassTimeline [--glib]

      --glib   Let g_main_loop_run drive the loop, and not GRunLoop.run. The rows are the same.
      --help   Show this.
    """)
default:
  let complaint = "PassTimeline: there is no argument \(arguments.first!); see --help\n"
  write(STDERR_FILENO, complaint, complaint.utf8.count)
  exit(2)
}
