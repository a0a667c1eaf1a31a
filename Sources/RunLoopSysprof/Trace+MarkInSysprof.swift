#if Sysprof
  import CSysprof
#endif
import RunLoopInstruments
public import GLibRunLoop

extension GRunLoop.Trace {
  /// Has all that a trace tells appear as marks in the Sysprof capture that the process runs under, beside GTK's own:
  /// passes, sleeps and what ended them, and each call-back under its item's name.
  ///
  /// ```swift
  /// let trace = try GRunLoop.Trace.markInSysprof()
  /// ```
  /// ```sh
  /// sysprof-cli --gtk capture.syscap -- ./app
  /// ```
  ///
  /// The marks' group is `GRunLoop`. A mark's message has the item's kind, mode, line and lateness, and the thread. They
  /// are written by a thread of the trace's, half a second's worth at a time, and the rest when the trace is stopped or
  /// the program exits. The profiler takes about 15,000 a second: of more than that, 65,536 wait, and a mark `lost` says
  /// how many did not find room. Each call starts a trace of its own. It can be called from every thread.
  ///
  /// - Returns: The trace, which goes on until it is stopped; nil if no capture runs: then nothing was started, and
  ///   nothing costs anything.
  /// - Throws: ``/RunLoopInstruments/GLibRunLoop/GRunLoop/InstrumentFailure``, if the thread cannot be started.
  ///   (`sysprof_collector_is_active`, `sysprof_collector_mark`)
  #if !Sysprof
    @available(*, unavailable, message: "depend on the package with its trait Sysprof: traits: [\"Sysprof\"]")
  #endif
  @discardableResult
  public static func markInSysprof() throws(GRunLoop.InstrumentFailure) -> GRunLoop.Trace? {
    #if Sysprof
      guard sysprof_collector_is_active() else { return nil }
      let marks = SysprofMarks()
      return try start(handingOn: marks.add)
    #else
      return nil
    #endif
  }
}
