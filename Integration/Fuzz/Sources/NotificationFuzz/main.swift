import CFuzzer
import CGio
import Foundation

// One input: a byte that says whether the value is brought into normal form first, as one off the bus is, and a
// notification's user info. Whatever it is, reading it ends with a dictionary or a reason; and what is read, written and
// read again is the same.

/// A text that is the same for the same values of the same types, in any order of the keys.
func text(of value: Any) -> String {
  switch value {
  case let value as [String: any Sendable]:
    "{" + value.sorted { $0.key < $1.key }.map { "\(Array($0.key.utf8)): \(text(of: $0.value))" }.joined(separator: ",")
      + "}"
  case let value as [any Sendable]: "[" + value.map { text(of: $0) }.joined(separator: ",") + "]"
  case let value as Double: "Double \(value.bitPattern)"
  case let value as Float: "Float \(value.bitPattern)"
  case let value as Date: "Date \(value.timeIntervalSinceReferenceDate.bitPattern)"
  case let value as Data: "Data \(Array(value))"
  case let value as String: "String \(Array(value.utf8))"
  default: "\(type(of: value)) \(value)"
  }
}

func check(_ bytes: UnsafeRawBufferPointer, isNormal: Bool) {
  let held = g_bytes_new(bytes.baseAddress, gsize(bytes.count))
  let userInfo = g_variant_type_new("a{sv}")
  defer {
    g_bytes_unref(held)
    g_variant_type_free(userInfo)
  }
  var value = Variant(g_variant_new_from_bytes(userInfo, held, 0)!)
  if isNormal { value = Variant(owned: g_variant_get_normal_form(value.pointer)) }
  // A value of a type that property lists lack, or too deep to be sent back.
  guard let read = try? PropertyList.decode(value), let written = try? PropertyList.encode(read) else { return }
  let again = try! PropertyList.decode(written)
  precondition(text(of: read) == text(of: again), "what was read is not what is written")
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
_ = LLVMFuzzerRunDriver(&count, &arguments) { data, count in
  guard let data, count > 0 else { return 0 }
  check(UnsafeRawBufferPointer(start: data + 1, count: count - 1), isNormal: data[0] & 1 == 1)
  return 0
}
