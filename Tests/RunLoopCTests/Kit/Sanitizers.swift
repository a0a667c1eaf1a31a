import Foundation

/// Whether the tests were built with a sanitizer. The library was, too, then, and can be loaded only into a program of the
/// same compiler's, with the same sanitizer in it.
let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
