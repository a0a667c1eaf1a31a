import Glibc

/// How often this thread has given up its processor so far, to wait for something.
package var voluntarySwitches: Int {
  // 1 is RUSAGE_THREAD, which the C header shows to GNU programs only.
  var usage = rusage()
  getrusage(__rusage_who_t(1), &usage)
  return usage.ru_nvcsw
}
