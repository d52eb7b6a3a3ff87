package dev.blitz.io.internal.driver.readiness;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which workers are inside a call of their source. A kernel may keep a descriptor that is closed
 * beside such a call open until the call ends: poll(2) all that it names, epoll (since Linux 6.10)
 * the one that it looks at.
 */
/* Implementation notes
 *
 * One count for each worker, odd inside a call; 128 bytes apart.
 *
 *   counts | the worker itself | whoever binds | release, then a full fence / acquire
 *
 * The fence of `begin` pairs with the kernel's own atomics: whoever finds an address taken by a call sees that call.
 */
final class CallsInProgress {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

  /** In ints. */
  private static final int APART = 32;

  private final int workers;
  private final int[] counts;

  CallsInProgress(int workers) {
    this.workers = workers;
    this.counts = new int[(workers + 2) * APART];
  }

  private static int at(int worker) {
    return (worker + 1) * APART;
  }

  /** {@code worker} is about to make a call. */
  void begin(int worker) {
    COUNT.setRelease(counts, at(worker), (counts[at(worker)] + 1) | 1);
    VarHandle.fullFence();
  }

  /** The call has ended. */
  void end(int worker) {
    COUNT.setRelease(counts, at(worker), (counts[at(worker)] + 1) & ~1);
  }

  /** The calls of now, for {@link #anyOf}. */
  int[] now() {
    int[] then = new int[workers];
    for (int i = 0; i < workers; i++) {
      then[i] = (int) COUNT.getAcquire(counts, at(i));
    }
    return then;
  }

  /** Whether one of the calls of {@code then} has not ended. */
  boolean anyOf(int[] then) {
    for (int i = 0; i < workers; i++) {
      if ((then[i] & 1) != 0 && (int) COUNT.getAcquire(counts, at(i)) == then[i]) {
        return true;
      }
    }
    return false;
  }
}
