package dev.blitz.io.channel;

/** What became of a value that was sent without waiting. */
public enum SendResult {
  /** The channel has taken it. */
  SENT,
  /** There is no room now; the value was not taken. */
  FULL,
  /** The channel is closed; the value was not taken. */
  CLOSED
}
