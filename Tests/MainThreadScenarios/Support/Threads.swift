import Glibc
import ThreadKit

/// The number of the process's first thread; main.swift asks for it first.
let firstThread = pthread_self()

var isFirstThread: Bool { pthread_equal(pthread_self(), firstThread) != 0 }

/// One that is not the first.
typealias OtherThread = TestThread

/// A turnstile between threads: as many waits pass as there were opens.
typealias Gate = ThreadKit.Gate<Void>
