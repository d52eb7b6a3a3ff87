package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one worker did: written by its thread alone, read by anyone; each number is exact but they
 * are not one snapshot.
 */
final class WorkerCounters {
  private static final VarHandle EXECUTED = handle("executed");
  private static final VarHandle STOLEN = handle("stolen");
  private static final VarHandle SLEPT = handle("slept");
  private static final VarHandle WOKEN = handle("woken");

  @SuppressWarnings("unused") // through the handles
  private long executed, stolen, slept, woken;

  private static VarHandle handle(String field) {
    return Fields.of(MethodHandles.lookup(), field, long.class);
  }

  private void increment(VarHandle field) {
    field.setOpaque(this, (long) field.getOpaque(this) + 1);
  }

  void executed() {
    increment(EXECUTED);
  }

  void stole() {
    increment(STOLEN);
  }

  void slept() {
    increment(SLEPT);
  }

  void woken() {
    increment(WOKEN);
  }

  /** Forgets what a rehearsal counted. */
  void reset() {
    for (VarHandle field : new VarHandle[] {EXECUTED, STOLEN, SLEPT, WOKEN}) {
      field.setOpaque(this, 0L);
    }
  }

  long executedCount() {
    return (long) EXECUTED.getOpaque(this);
  }

  long stolenCount() {
    return (long) STOLEN.getOpaque(this);
  }

  long sleptCount() {
    return (long) SLEPT.getOpaque(this);
  }

  long wokenCount() {
    return (long) WOKEN.getOpaque(this);
  }
}
