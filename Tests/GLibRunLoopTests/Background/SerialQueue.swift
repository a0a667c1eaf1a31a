import Dispatch

enum SerialQueue {
  static func make() -> DispatchQueue { DispatchQueue(label: "one after the other") }
}

enum MainQueue {
  static var queue: DispatchQueue { .main }
}
