extension Duration {
  /// A spin that nothing but an event ends: a test gives up before. Some time it is over, so that a broken loop fails its
  /// test instead of hanging it.
  static let longSpin = Duration.seconds(60)
}
