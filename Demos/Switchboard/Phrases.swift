/// What operators say to each other.
@MainActor enum Phrases {
  private static let pairs = [
    ("Any news from the north?", "Snow on the pass, and the mail is late."),
    ("Could you hold the line to Vienna?", "Holding. They play a waltz."),
    ("What time do you have?", "Two minutes before yours, as always."),
    ("Number, please?", "Seven four one, and hurry."),
    ("Who took my pencil?", "It is behind your ear."),
    ("Is the night train through?", "Just now, with all its lights on."),
    ("Do you hear the hum, too?", "It is the rain on the wires."),
  ]
  private static var next = Int.random(in: 0..<pairs.count)

  static func question() -> String {
    next = (next + 1) % pairs.count
    return pairs[next].0
  }

  static func answer(to question: String) -> String {
    pairs.first { $0.0 == question }?.1 ?? "You said \"\(question)\". I shall pass it on."
  }
}
