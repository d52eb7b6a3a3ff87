package dev.blitz.io.internal.scheduler;

import dev.blitz.io.policy.SpinMode;

/**
 * Decides before each park whether to spin first. Owner only.
 *
 * <p>The automatic mode spins while that has been paying off. For I/O it pays where completions
 * come for the same task again and again: a flow of requests, each of which waits for the answer to
 * the one before. Nothing else would be done meanwhile, and the answer is early by what waking a
 * thread takes. So something must have been sent since the completion before: connections that come
 * one by one, or bytes that only come in, are nobody's answer. Where each completion is for another
 * task there are many flows; a worker that spins would take them one by one, and pay with its CPU
 * for what the kernel gathers for nothing.
 */
final class SpinPolicy {
  private final SpinMode mode;
  private int wastedInARow;
  private int skipped;

  /** Identity hashes, not tasks: nothing is kept alive. An accidental match costs one spin. */
  private final int[] recent = new int[SchedulerTuning.SPIN_FLOWS];

  private int nextRecent;

  SpinPolicy(SpinMode mode) {
    this.mode = mode;
  }

  boolean worthIt() {
    return switch (mode) {
      case OFF -> false;
      case MAX -> true;
      case AUTO -> {
        if (wastedInARow < SchedulerTuning.SPIN_PATIENCE) {
          yield true;
        }
        skipped++;
        yield skipped % SchedulerTuning.SPIN_RETRY == 0;
      }
    };
  }

  void paid() {
    wastedInARow = 0;
  }

  void wasted() {
    wastedInARow++;
  }

  /**
   * Completions have come, first of all for {@code task}.
   *
   * @param spinning whether a spin found them, or a park
   * @param sent whether bytes were sent since those before
   */
  void completed(Object task, boolean spinning, boolean sent) {
    int hash = System.identityHashCode(task);
    boolean known = isRecent(hash);
    if (!known) {
      recent[nextRecent] = hash;
      nextRecent = (nextRecent + 1) % recent.length;
    }
    if (spinning && known && sent) {
      paid();
    } else if (spinning) {
      wasted();
    }
  }

  private boolean isRecent(int hash) {
    for (int known : recent) {
      if (known == hash) {
        return true;
      }
    }
    return false;
  }
}
