package dev.blitz.io.task;

/**
 * The limit of one {@link TaskScope#join(java.time.Duration)}: what its alarm does concerns the
 * children of that join, never later ones. Guarded by the scope's lock.
 */
final class JoinLimit {
  /** The join has seen the last child end, or given up: the alarm comes too late. */
  boolean over;

  /** How many children were cancelled, by the alarm or because there can be none. */
  int cancelled;

  /** The alarm has cancelled them. */
  boolean passed;
}
