package dev.blitz.io.internal.timer;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often it fires. */
class CountingTimer extends TimerEntry {
  final AtomicInteger fired = new AtomicInteger();

  @Override
  protected void fire() {
    fired.incrementAndGet();
  }
}
