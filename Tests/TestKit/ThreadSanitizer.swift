import Glibc

/// Whether the tests were built with the thread sanitizer.
package let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil

/// Whether a library that was built here can be loaded into a program before it starts: a sanitizer's is looked for in
/// the program, which does not export it, or wants to be loaded first itself.
package let canPreload = !hasThreadSanitizer && dlsym(nil, "__asan_init") == nil
