import Glibc

extension ChildProgram {
  convenience init(scenario: String, _ arguments: [String] = [], environment: [String] = []) throws {
    let program = [Self.instrumentsProgram, scenario] + arguments
    try self.init("/usr/bin/env", ["SWIFT_BACKTRACE=enable=no"] + environment + program)
  }

  /// The program InstrumentsProgram, beside the tests, which are the running program.
  static var instrumentsProgram: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return folder + "/InstrumentsProgram"
  }
}
