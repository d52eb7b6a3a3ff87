package dev.blitz.parallel.internal;

import dev.blitz.parallel.IntWork;

/** A fork stack without a pool: a thread that is never started. */
final class BareForkStack extends ForkStack {
  BareForkStack() {
    super("bare", 0);
  }

  int pushValue(int value) {
    IntWork<RuntimeException> work = () -> value;
    return push(work);
  }
}
