import CGLib
import CGRunLoop
import GLibRunLoop

@c @implementation public func grunloop_foreign_source_new(_ source: UnsafeMutablePointer<GSource>?) -> OpaquePointer? {
  guard require(source != nil, "source != NULL", in: #function) else { return nil }
  return HandleTable.make(GRunLoop.ForeignSource(source!), .foreignSource)
}
