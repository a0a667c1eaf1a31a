import CGio
import GLibRunLoop
import Glibc

/// An application runs itself until a task of the main actor's lets it go; the status that its host returns counts.
@MainActor func hostedApplication() {
  let application = g_application_new(nil, G_APPLICATION_NON_UNIQUE)!
  let activated: @convention(c) (UnsafeMutablePointer<GApplication>?, UnsafeMutableRawPointer?) -> Void = {
    application, _ in
    nonisolated(unsafe) let application = application
    g_application_hold(application)
    Task { @MainActor in
      try await Task.sleep(for: .milliseconds(1))
      expect(isFirstThread, "the task ran on another thread")
      print("task")
      fflush(nil)
      g_application_release(application)
    }
  }
  g_signal_connect_data(
    application, "activate", unsafeBitCast(activated, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
  GRunLoop.hostMain {
    let status = g_application_run(application, 0, nil)
    return status == 0 ? 5 : status
  }
}

@MainActor func hostedOnOtherThread() {
  OtherThread { GRunLoop.hostMain { 0 } }.join()
}
