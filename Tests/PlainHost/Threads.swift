import Glibc

/// The program asks for it first thing.
let firstThread = pthread_self()

var isFirstThread: Bool { pthread_equal(pthread_self(), firstThread) != 0 }

/// How often this thread has gone to sleep so far. 1 is RUSAGE_THREAD, which the header shows to GNU programs only.
var sleeps: Int {
  var usage = rusage()
  getrusage(__rusage_who_t(1), &usage)
  return usage.ru_nvcsw
}
