package dev.blitz.io.internal.timer;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Entries that a worker is done with and that lie in another worker's wheel. They are unlinked
 * together: the lock and the lists of that wheel then travel between the processors once for many.
 * For the worker's own thread.
 */
final class Discards {
  private final HierarchicalTimerWheel[] wheels;
  private final @Nullable TimerEntry[] entries = new @Nullable TimerEntry[TimerTuning.BATCH];
  private int count;

  Discards(HierarchicalTimerWheel[] wheels) {
    this.wheels = wheels;
  }

  void add(TimerEntry entry) {
    entries[count++] = entry;
    if (count == entries.length) {
      flush();
    }
  }

  void flush() {
    for (int first = 0; first < count; first++) {
      if (entries[first] != null) {
        int wheel = requireNonNull(entries[first]).wheel();
        if (wheel >= 0) {
          wheels[wheel].cancelAll(entries, first, count, wheel);
        }
        entries[first] = null; // taken out, or it has expired meanwhile
      }
    }
    count = 0;
  }
}
