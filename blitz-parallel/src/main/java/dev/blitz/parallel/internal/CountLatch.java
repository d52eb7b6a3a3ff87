package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A latch that is set when as many jobs have ended as were begun; starts with one, its creator. */
class CountLatch extends Latch {
  private static final VarHandle COUNT = Fields.of(MethodHandles.lookup(), "count", long.class);

  @SuppressWarnings("unused") // through COUNT
  private volatile long count;

  CountLatch(Thread waiter, @Nullable Latch parent, long initial) {
    super(waiter, parent);
    COUNT.setRelease(this, initial);
  }

  /** Only while at least one is open: by the creator, or by a job that has not ended. */
  final void begin() {
    COUNT.getAndAdd(this, 1L);
  }

  /** False when everything has ended already: the latch is set and cannot be used again. */
  final boolean tryBegin() {
    long seen = (long) COUNT.getVolatile(this);
    while (seen > 0) {
      long witness = (long) COUNT.compareAndExchange(this, seen, seen + 1);
      if (witness == seen) {
        return true;
      }
      seen = witness;
    }
    return false;
  }

  final void end() {
    if ((long) COUNT.getAndAdd(this, -1L) == 1L) {
      set();
    }
  }
}
