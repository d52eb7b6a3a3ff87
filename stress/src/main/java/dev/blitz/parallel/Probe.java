package dev.blitz.parallel;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the middle of a pipeline: fails at a number, and knows whether anybody is inside, or
 * comes when all is over.
 */
final class Probe {
  private final int numberThatFails;
  private final @Nullable Throwable failure;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger seen = new AtomicInteger();

  Probe(int numberThatFails, @Nullable Throwable failure) {
    this.numberThatFails = numberThatFails;
    this.failure = failure;
  }

  void see(int number) {
    inside.incrementAndGet();
    try {
      seen.incrementAndGet();
      if (failure != null && number == numberThatFails) {
        throw Probe.<RuntimeException>sneaky(failure);
      }
    } finally {
      inside.decrementAndGet();
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // whatever it is, it is thrown
  static <X extends Throwable> X sneaky(Throwable t) throws X {
    throw (X) t;
  }

  boolean isFailure(Throwable t) {
    return t == failure;
  }

  int seen() {
    return seen.get();
  }

  /** After a call has returned. */
  void checkNobodyInside() {
    if (inside.get() != 0) {
      throw new AssertionError(inside + " elements are still handled");
    }
  }
}
