package dev.blitz.io.future;

/** The result of a future that has no result: it is done. */
public enum Done {
  /** The only value. */
  DONE
}
