import CGio

/// How a notification travels: one broadcast signal of the session bus. Documented in the article "Distributed
/// notifications", and so not to be changed.
enum WireFormat {
  static let path = "/org/glibrunloop/DistributedNotificationCenter"
  static let interface = "org.glibrunloop.DistributedNotificationCenter"
  static let member = "Posted"
  /// Name; object, empty for none; user info; flags.
  static let signature = "(ssa{sv}u)"
  static let immediately: UInt32 = 1
  static let longestName = 255
  /// Beyond it dbus-daemon refuses a rule (DBUS_MAXIMUM_MATCH_RULE_LENGTH).
  static let longestRule = 1024

  static func isName(_ name: String) -> Bool {
    (1...longestName).contains(name.utf8.count) && !name.utf8.contains(0)
  }

  /// Has the bus send only what an observer asks for.
  static func matchRule(name: String?, object: String?) -> String {
    var rule = "type='signal',path='\(path)',interface='\(interface)',member='\(member)'"
    if let name { rule += ",arg0='\(escaped(name))'" }
    if let object { rule += ",arg1='\(escaped(object))'" }
    return rule
  }

  /// Inside quotes everything stands for itself but the quote.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
  }
}

/// A value of GLib's, held. It does not change, so that threads may share it.
final class Variant: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Takes over a floating reference, or adds one.
  init(_ pointer: OpaquePointer) { self.pointer = g_variant_ref_sink(pointer) }

  /// Takes over a reference that the caller owns.
  init(owned pointer: OpaquePointer) { self.pointer = pointer }

  deinit { g_variant_unref(pointer) }

  convenience init(_ text: String) { self.init(g_variant_new_string(text)) }

  static func tuple(_ children: [Variant]) -> Variant {
    let pointers = children.map { Optional($0.pointer) }
    return Variant(g_variant_new_tuple(pointers, UInt(pointers.count)))
  }

  static func array(of type: String, _ children: [Variant]) -> Variant {
    let pointers = children.map { Optional($0.pointer) }
    let elementType = g_variant_type_new(type)
    defer { g_variant_type_free(elementType) }
    return Variant(g_variant_new_array(elementType, pointers, UInt(pointers.count)))
  }

  var type: String { String(cString: g_variant_get_type_string(pointer)) }

  var text: String { String(cString: g_variant_get_string(pointer, nil)) }

  var children: [Variant] {
    (0..<g_variant_n_children(pointer)).map { Variant(owned: g_variant_get_child_value(pointer, $0)) }
  }
}
