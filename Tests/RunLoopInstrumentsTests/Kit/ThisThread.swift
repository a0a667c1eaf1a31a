import Glibc

/// The kernel's number of this thread. Swift's Glibc module lacks gettid(2).
var thisThread: Int {
  Int(unsafeBitCast(dlsym(nil, "gettid")!, to: (@convention(c) () -> pid_t).self)())
}
