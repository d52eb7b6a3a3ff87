package dev.blitz.io.sync;

/** What a task is told when all have arrived at a {@link Barrier}. */
public enum Arrival {
  /** It came last. Exactly one of each meeting. */
  LEADER,
  /** It came before. */
  FOLLOWER;

  /** Whether it came last. */
  public boolean isLeader() {
    return this == LEADER;
  }
}
