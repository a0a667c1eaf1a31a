import Foundation
import GLibRunLoop
import RunLoopNotifications
import Testing

@Suite struct UserInfoTypesTests {
  /// What a post of a value brings to an observer.
  private static func roundTrip(_ userInfo: [AnyHashable: Any]?) throws -> [AnyHashable: Any]? {
    let bus = try SessionBus()
    let drive = Drive(.swift)
    let center = GRunLoop.DistributedNotificationCenter(busAddress: bus.address)
    var result: [AnyHashable: Any]?
    try center.addObserver(forName: .init("types")) {
      result = $0.userInfo
      drive.quit()
    }
    try center.post(name: .init("types"), userInfo: userInfo)
    drive.run()
    return result
  }

  @Test("D1 values come out with the types and values that they went in with")
  func types() async throws {
    try await onLoopThread {
      let scalars: [AnyHashable: Any] = [
        "true": true, "false": false, "Int": Int.min, "UInt": UInt.max, "Int8": Int8.min, "UInt8": UInt8.max,
        "Int16": Int16.min, "UInt16": UInt16.max, "Int32": Int32.min, "UInt32": UInt32.max, "Int64": Int64.max,
        "UInt64": UInt64.max, "Double": 0.1, "infinite": -Double.infinity, "Float": Float(0.1), "empty": "",
        "String": "grüße \u{1F30D}", "Date": Date(), "Data": Data([0, 1, 255]), "no data": Data(), "": "no key",
      ]
      let result = try #require(try Self.roundTrip(scalars))
      #expect(result.count == scalars.count)
      for (key, value) in scalars {
        let got = try #require(result[key])
        #expect(type(of: got) == type(of: value), "\(key)")
        #expect(got as? AnyHashable == value as? AnyHashable, "\(key)")
      }
    }
  }

  @Test("D1 arrays and dictionaries nest, sixteen levels deep")
  func containers() async throws {
    try await onLoopThread {
      var deep: Any = "bottom"
      for _ in 0..<7 { deep = ["down": [deep]] }
      let result = try #require(
        try Self.roundTrip(["list": [1, "two", [3.0, Date(timeIntervalSince1970: 4)]], "none": [Any](), "deep": deep]))
      let list = try #require(result["list"] as? [Any])
      #expect(list[0] as? Int == 1)
      #expect(list[1] as? String == "two")
      #expect((list[2] as? [Any])?[0] as? Double == 3)
      #expect((list[2] as? [Any])?[1] as? Date == Date(timeIntervalSince1970: 4))
      #expect((result["none"] as? [Any])?.isEmpty == true)
      #expect(String(describing: result["deep"]!) == String(describing: deep))
    }
  }

  @Test("D1 Foundation's own objects go as what they stand for; no user info is none")
  func objects() async throws {
    try await onLoopThread {
      let result = try #require(
        try Self.roundTrip([
          "bool": NSNumber(value: true), "int": NSNumber(value: 1), "double": NSNumber(value: 1.5),
          "string": NSString(string: "s"), "array": NSArray(array: [1]),
        ]))
      #expect(type(of: result["bool"]!) == Bool.self)
      #expect(type(of: result["int"]!) == Int.self)
      #expect(type(of: result["double"]!) == Double.self)
      #expect(result["string"] as? String == "s")
      #expect((result["array"] as? [Int]) == [1])
      #expect(try Self.roundTrip(nil) == nil)
    }
  }
}
