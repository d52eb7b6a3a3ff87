package dev.blitz.io.internal.scheduler;

import dev.blitz.io.SpinMode;

/** Decides before each park whether to spin first. Owner only. */
final class SpinPolicy {
  private final SpinMode mode;
  private int wastedInARow;
  private int skipped;

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
}
