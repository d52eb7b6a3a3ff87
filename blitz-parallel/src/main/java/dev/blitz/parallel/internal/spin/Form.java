package dev.blitz.parallel.internal.spin;

/** What the end of a pipeline does with what reaches it. */
public enum Form {
  /** Adds integers up, as longs; or the doubles of one chunk, in eight lanes. */
  SUM(0),
  /** Keeps the least number. */
  MIN(1),
  /** Keeps the greatest number. */
  MAX(2),
  /** Counts. */
  COUNT(3),
  /** Combines by a function. */
  REDUCE(4),
  /** Hands each to a consumer. */
  EACH(5),
  /** Keeps the first and is done. */
  FIRST(6),
  /** Stores each at its own index. */
  STORE(7),
  /** Stores each behind the one before. */
  APPEND(8),
  /** Adds each to a container. */
  FOLD(9),
  /** Keeps what has the least key, the first of several. */
  MIN_BY(10),
  /** Keeps what has the greatest key, the first of several. */
  MAX_BY(11);

  /** Counts from 0. */
  final int slot;

  Form(int slot) {
    this.slot = slot;
  }

  /** Whether there is a function. */
  boolean hasFunction() {
    return this == REDUCE || this == EACH || this == FOLD || isByKey();
  }

  /** Whether the function makes keys. */
  boolean isByKey() {
    return this == MIN_BY || this == MAX_BY;
  }
}
