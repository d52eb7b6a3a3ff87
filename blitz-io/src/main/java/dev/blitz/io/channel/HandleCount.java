package dev.blitz.io.channel;

import java.util.concurrent.atomic.AtomicInteger;

/** The handles of one side of a channel that are open. */
final class HandleCount {
  private final AtomicInteger open = new AtomicInteger();

  void opened() {
    open.incrementAndGet();
  }

  /** Whether it was the last. */
  boolean closed() {
    return open.decrementAndGet() == 0;
  }
}
