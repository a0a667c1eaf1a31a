// The program that the documentation's samples stand in: what they use and do not say. For Scripts/samples.
import CGLib
import CGio
import Foundation
import GLibRunLoop
import RunLoopPorts

public let loop = GRunLoop.current
public let playerLoop = GRunLoop.current
public let audioLoop = GRunLoop.current
public let scene = ""
// C pointers, which a sample uses on its one thread, if it is run at all.
nonisolated(unsafe) public let context = g_main_context_new()!
nonisolated(unsafe) public let playerContext = g_main_context_new()!
nonisolated(unsafe) public let mainLoop = g_main_loop_new(nil, 0)!
nonisolated(unsafe) public let application = {
  let application = g_application_new(nil, G_APPLICATION_DEFAULT_FLAGS)!
  // With nothing to hold it, it ends as soon as it was activated.
  let activated: @convention(c) (gpointer?, gpointer?) -> Void = { _, _ in }
  g_signal_connect_data(
    application, "activate", unsafeBitCast(activated, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
  return application
}()
nonisolated(unsafe) public let service = g_socket_service_new()!
nonisolated(unsafe) public let file = g_file_new_for_path("/etc/hostname")
nonisolated(unsafe) public let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
public let size = 4096
public let socket: CInt = 0
public let descriptor: CInt = 0
public let others = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
public let port = Port(sendableHandler: { _ in })
public let mine = Port(sendableHandler: { _ in })
public let word: [UInt8] = []
public let url = URL(string: "https://example.org")!
public let path = "/etc/hostname"
public let date = Date()
public let files = [URL]()
public let conversions = [GRunLoop.BackgroundTask]()

public struct Spinner: Sendable {
  public func start() {}
  public func stop() {}
}

public struct Window: Sendable {
  public let title = ""
  public let width = 0
  public func update() {}
}

public final class Bar: @unchecked Sendable {
  public var value = 0.0
}

public final class Frame: Sendable {
  public let isLast = true
  public func draw(at date: GRunLoop.Instant) {}
}

public let spinner = Spinner()
public let window = Window()
public let label = Window()
public let bar = Bar()
public let frame = Frame()
nonisolated(unsafe) public let view = NSObject()

extension Notification.Name {
  public static let needsDisplay = Notification.Name("needsDisplay")
}

public func redraw() {}
public func redraw(_ date: GRunLoop.Instant) {}
public func ring() {}
public func serveOthers() {}
public func save() async {}
public func ask() async throws -> String { "" }
public func show(_ content: Any) {}
public func convert(_ file: URL) throws {}
public func render(_ scene: String, _ report: (Double) -> Void) throws -> String { "" }
public func fetch(_ url: URL) async throws -> String { "" }
public func fetch(_ url: URL, _ report: (Double) -> Void) throws -> String { "" }
public func check(_ word: [UInt8]) -> [UInt8] { word }
public func contents(of path: String) async throws -> String { "" }
public func readMore(from descriptor: CInt) -> Bool { false }
