import CGio
import Foundation

/// Property lists as D-Bus values. What D-Bus has a type for goes as that. What it lacks, and what would come back as
/// another type, goes as `(sv)`: the name of the Swift type, and a value.
enum PropertyList {
  struct Unsupported: Error {
    let description: String
  }

  private static let deepest = 16

  // MARK: To D-Bus

  static func encode(_ userInfo: [AnyHashable: Any]) throws(Unsupported) -> Variant {
    try dictionary(userInfo, at: "user info", depth: 1)
  }

  private static func dictionary(_ values: [AnyHashable: Any], at place: String, depth: Int) throws(Unsupported)
    -> Variant
  {
    var entries: [Variant] = []
    for (key, value) in values {
      guard let key = key.base as? String else {
        throw Unsupported(description: "a key of type \(type(of: key.base)) in \(place)")
      }
      let entry = try self.value(value, at: "\(place).\(key)", depth: depth + 1)
      let name = try text(key, at: place)
      entries.append(Variant(g_variant_new_dict_entry(name.pointer, g_variant_new_variant(entry.pointer))))
    }
    return .array(of: "{sv}", entries)
  }

  private static func text(_ text: String, at place: String) throws(Unsupported) -> Variant {
    if text.utf8.contains(0) { throw Unsupported(description: "a zero byte in a string at \(place)") }
    return Variant(text)
  }

  private static func value(_ value: Any, at place: String, depth: Int) throws(Unsupported) -> Variant {
    if depth > deepest { throw Unsupported(description: "too many levels at \(place)") }
    // Before the casts: a number object can be cast to each of the number types.
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber { return self.number(number) }
    switch value {
    case let value as Bool: return Variant(g_variant_new_boolean(value ? 1 : 0))
    case let value as Int: return Variant(g_variant_new_int64(gint64(value)))
    case let value as UInt: return Variant(g_variant_new_uint64(guint64(value)))
    case let value as UInt8: return Variant(g_variant_new_byte(value))
    case let value as Int16: return Variant(g_variant_new_int16(value))
    case let value as UInt16: return Variant(g_variant_new_uint16(value))
    case let value as Int32: return Variant(g_variant_new_int32(value))
    case let value as UInt32: return Variant(g_variant_new_uint32(value))
    case let value as Double: return Variant(g_variant_new_double(value))
    case let value as Int8: return tagged("Int8", g_variant_new_int16(Int16(value)))
    case let value as Int64: return tagged("Int64", g_variant_new_int64(gint64(value)))
    case let value as UInt64: return tagged("UInt64", g_variant_new_uint64(guint64(value)))
    case let value as Float: return tagged("Float", g_variant_new_double(Double(value)))
    case let value as Date: return tagged("Date", g_variant_new_double(value.timeIntervalSinceReferenceDate))
    case let value as String: return try text(value, at: place)
    case let value as Data: return data(value)
    case let value as [Any]:
      var elements: [Variant] = []
      for (index, element) in value.enumerated() {
        let element = try self.value(element, at: "\(place)[\(index)]", depth: depth + 1)
        elements.append(Variant(g_variant_new_variant(element.pointer)))
      }
      return .array(of: "v", elements)
    case let value as [AnyHashable: Any]: return try dictionary(value, at: place, depth: depth)
    default: throw Unsupported(description: "a value of type \(type(of: value)) at \(place)")
    }
  }

  private static func tagged(_ name: String, _ value: OpaquePointer) -> Variant {
    .tuple([Variant(name), Variant(g_variant_new_variant(value))])
  }

  private static func data(_ data: Data) -> Variant {
    let type = g_variant_type_new("y")
    defer { g_variant_type_free(type) }
    return data.withUnsafeBytes { bytes in
      Variant(g_variant_new_fixed_array(type, bytes.baseAddress, UInt(bytes.count), 1))
    }
  }

  private static func number(_ number: NSNumber) -> Variant {
    switch UInt8(bitPattern: number.objCType.pointee) {
    // Only of truth values, in Foundation for Linux.
    case UInt8(ascii: "c"): return Variant(g_variant_new_boolean(number.boolValue ? 1 : 0))
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return Variant(g_variant_new_double(number.doubleValue))
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): return Variant(g_variant_new_uint64(number.uintValue))
    default: return Variant(g_variant_new_int64(number.intValue))
    }
  }

  // MARK: From D-Bus

  static func decode(_ variant: Variant) throws(Unsupported) -> [String: any Sendable] {
    var values: [String: any Sendable] = [:]
    for entry in variant.children {
      let pair = entry.children
      values[pair[0].text] = try value(pair[1])
    }
    return values
  }

  private static func value(_ variant: Variant) throws(Unsupported) -> any Sendable {
    let pointer = variant.pointer
    let type = variant.type
    switch type {
    case "b": return g_variant_get_boolean(pointer) != 0
    case "y": return g_variant_get_byte(pointer)
    case "n": return g_variant_get_int16(pointer)
    case "q": return g_variant_get_uint16(pointer)
    case "i": return g_variant_get_int32(pointer)
    case "u": return g_variant_get_uint32(pointer)
    case "x": return Int(g_variant_get_int64(pointer))
    case "t": return UInt(g_variant_get_uint64(pointer))
    case "d": return g_variant_get_double(pointer)
    case "s", "o", "g": return variant.text
    case "v": return try value(variant.children[0])
    case "ay":
      var count: UInt = 0
      guard let bytes = g_variant_get_fixed_array(pointer, &count, 1), count > 0 else { return Data() }
      return Data(bytes: bytes, count: Int(count))
    case "(sv)": return try untagged(variant.children[0].text, variant.children[1].children[0])
    case _ where ["a{s", "a{o", "a{g"].contains(type.prefix(3)): return try decode(variant)
    case _ where type.hasPrefix("a") && !type.hasPrefix("a{"):
      var elements: [any Sendable] = []
      for child in variant.children { elements.append(try value(child)) }
      return elements
    default: throw Unsupported(description: "a value of the D-Bus type \(type)")
    }
  }

  private static func untagged(_ name: String, _ variant: Variant) throws(Unsupported) -> any Sendable {
    let value = try value(variant)
    switch (name, value) {
    case ("Int8", let value as Int16): if let value = Int8(exactly: value) { return value }
    case ("Int64", let value as Int): return Int64(value)
    case ("UInt64", let value as UInt): return UInt64(value)
    case ("Float", let value as Double): return Float(value)
    case ("Date", let value as Double): return Date(timeIntervalSinceReferenceDate: value)
    default: break
    }
    throw Unsupported(description: "a \"\(name)\" of the D-Bus type \(variant.type)")
  }
}
