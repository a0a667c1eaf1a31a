import Glibc

/// An image in memory, three bytes a point, and the PPM files that hold such. For any thread.
struct Picture: Sendable {
  let width: Int
  let height: Int
  var bytes: [UInt8]

  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// How far a step is, from 0 to 1. Called for each row.
  typealias Report = (Double) -> Void

  // MARK: Drawing and shrinking

  /// Hills under a sky, other ones for each number.
  static func landscape(_ number: Int, width: Int, height: Int, _ report: Report) throws -> Picture {
    var picture = Picture(width: width, height: height, bytes: [])
    picture.bytes.reserveCapacity(width * height * 3)
    let seed = Double(number)
    for row in 0..<height {
      try Task.checkCancellation()
      let y = Double(row) / Double(height)
      for column in 0..<width {
        let x = Double(column) / Double(width)
        let far = 0.55 + 0.12 * sin(x * 7 + seed) + 0.05 * sin(x * 19 + seed * 3)
        let near = 0.75 + 0.10 * sin(x * 5 + seed * 2)
        let sun = hypot(x - 0.5 - 0.4 * sin(seed), (y - 0.25) * 0.75)
        let colour: (Double, Double, Double) =
          if y > near {
            (40 + 60 * (y - near), 110 - 60 * (y - near), 50)
          } else if y > far {
            (90, 120, 130 + 40 * sin(seed))
          } else if sun < 0.08 {
            (255, 240, 180)
          } else {
            (120 + 100 * y, 150 + 60 * y, 230 - 40 * y)
          }
        picture.bytes += [UInt8(colour.0), UInt8(colour.1), UInt8(colour.2)]
      }
      report(Double(row + 1) / Double(height))
    }
    return picture
  }

  /// Each point of the small one is the average of those that it stands for.
  func shrunk(toWidth limit: Int, _ report: Report) throws -> Picture {
    let newWidth = min(limit, width)
    let newHeight = max(1, height * newWidth / width)
    var small = Picture(width: newWidth, height: newHeight, bytes: [])
    small.bytes.reserveCapacity(newWidth * newHeight * 3)
    for row in 0..<newHeight {
      try Task.checkCancellation()
      let rows = row * height / newHeight..<max(row * height / newHeight + 1, (row + 1) * height / newHeight)
      for column in 0..<newWidth {
        let columns =
          column * width / newWidth..<max(column * width / newWidth + 1, (column + 1) * width / newWidth)
        var sums = (0, 0, 0)
        for y in rows {
          for x in columns {
            let at = (y * width + x) * 3
            sums.0 += Int(bytes[at])
            sums.1 += Int(bytes[at + 1])
            sums.2 += Int(bytes[at + 2])
          }
        }
        let count = rows.count * columns.count
        small.bytes += [UInt8(sums.0 / count), UInt8(sums.1 / count), UInt8(sums.2 / count)]
      }
      report(Double(row + 1) / Double(newHeight))
    }
    return small
  }

  // MARK: Files

  init(width: Int, height: Int, bytes: [UInt8]) { (self.width, self.height, self.bytes) = (width, height, bytes) }

  init(contentsOf path: String) throws {
    guard let file = fopen(path, "re") else { throw Problem(description: "\(path) cannot be read: \(reason())") }
    defer { fclose(file) }
    let numbers = Self.header(of: file)
    guard numbers.count == 3, numbers[2] == 255, numbers[0] > 0, numbers[1] > 0,
      case let (count, overflow) = numbers[0].multipliedReportingOverflow(by: numbers[1]), !overflow,
      count <= 400_000_000
    else { throw Problem(description: "\(path) is not a picture in the PPM format (P6, 8 bits)") }
    (width, height) = (numbers[0], numbers[1])
    bytes = [UInt8](unsafeUninitializedCapacity: count * 3) { buffer, used in
      used = fread(buffer.baseAddress, 1, count * 3, file)
    }
    if bytes.count < count * 3 { throw Problem(description: "\(path) ends in the middle of the picture") }
  }

  /// "P6", then width, height and the largest value, with blanks and comments in between; one blank ends it.
  private static func header(of file: UnsafeMutablePointer<FILE>) -> [Int] {
    guard getc(file) == CInt(UInt8(ascii: "P")), getc(file) == CInt(UInt8(ascii: "6")) else { return [] }
    var numbers: [Int] = []
    var number: Int?
    while numbers.count < 3 {
      switch getc(file) {
      case let digit where (48...57).contains(digit):
        number = (number ?? 0) * 10 + Int(digit - 48)
        if number! > 1_000_000 { return [] }
      case let blank where [9, 10, 13, 32].contains(blank):
        if let ended = number { numbers.append(ended) }
        number = nil
      case CInt(UInt8(ascii: "#")) where number == nil:
        while case let next = getc(file), next != 10 { if next < 0 { return [] } }
      default: return []
      }
    }
    return numbers
  }

  static let draftEnding = ".part"

  /// Whole or not at all: under another name first.
  func write(to path: String) throws {
    let draft = path + Self.draftEnding
    guard let file = fopen(draft, "we") else { throw Problem(description: "\(path) cannot be written: \(reason())") }
    let header = Array("P6\n\(width) \(height)\n255\n".utf8)
    var isWhole = fwrite(header, 1, header.count, file) == header.count
    isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count && isWhole
    isWhole = fclose(file) == 0 && isWhole
    if isWhole, rename(draft, path) == 0 { return }
    let reason = reason()
    unlink(draft)
    throw Problem(description: "\(path) cannot be written: \(reason)")
  }
}

func reason() -> String { String(cString: strerror(errno)) }
