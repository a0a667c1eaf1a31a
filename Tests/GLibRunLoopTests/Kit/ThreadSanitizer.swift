import Glibc

/// Whether the tests were built with the thread sanitizer.
let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil
