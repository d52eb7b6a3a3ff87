package dev.blitz.parallel.internal;

/**
 * Stands among the suppressed failures of another for those that were too many to keep. Its count
 * is written by whoever adds to that failure, one at a time.
 */
final class DroppedFailures extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private volatile long count;

  DroppedFailures(long count) {
    // Where it was made says nothing.
    super(null, null, false, false);
    this.count = count;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  void add(long more) {
    count += more;
  }

  long count() {
    return count;
  }

  @Override
  public String getMessage() {
    return count + " further failures were dropped";
  }
}
