package dev.blitz.parallel.internal.array;

/** What is kept of two sorted arrays. */
public enum SetRule {
  /** All, those of the left before their equals. */
  MERGE(true, true, true),
  /** Each as often as in the array that has it more often. */
  UNION(true, true, true),
  /** Each as often as in the array that has it less often. */
  INTERSECTION(false, false, true),
  /** Of the left, each as often as it is there more often. */
  DIFFERENCE(true, false, false);

  /** What the left has alone is kept. */
  final boolean left;

  /** What the right has alone is kept. */
  final boolean right;

  /** What both have is kept. */
  final boolean both;

  SetRule(boolean left, boolean right, boolean both) {
    this.left = left;
    this.right = right;
    this.both = both;
  }

  /** Whether an element of the left takes one of the right with it. */
  boolean pairs() {
    return this != MERGE;
  }

  long mostOf(int leftSize, int rightSize) {
    return switch (this) {
      case MERGE, UNION -> (long) leftSize + rightSize;
      case INTERSECTION -> Math.min(leftSize, rightSize);
      case DIFFERENCE -> leftSize;
    };
  }
}
