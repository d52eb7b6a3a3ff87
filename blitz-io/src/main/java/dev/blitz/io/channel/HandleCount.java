package dev.blitz.io.channel;

import java.util.concurrent.atomic.AtomicInteger;

/** The handles of one side of a channel that are open. */
final class HandleCount {
  private final AtomicInteger open = new AtomicInteger();

  /** One from the channel itself, be it the first or not. */
  void opened() {
    open.incrementAndGet();
  }

  /**
   * One more beside those that are open; false if none is: the channel was closed with the last.
   */
  boolean copied() {
    for (; ; ) {
      int n = open.get();
      if (n == 0) {
        return false;
      }
      if (open.compareAndSet(n, n + 1)) {
        return true;
      }
    }
  }

  void closed() {
    open.decrementAndGet();
  }

  boolean isNone() {
    return open.get() == 0;
  }
}
