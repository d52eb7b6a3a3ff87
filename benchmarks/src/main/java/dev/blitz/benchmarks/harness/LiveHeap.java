package dev.blitz.benchmarks.harness;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.function.Supplier;

/**
 * Measures what something keeps alive on the heap: used bytes after collection, with and without.
 */
public final class LiveHeap {
  /** One collection leaves objects that a cleaner or reference queue had to see first. */
  private static final int COLLECTIONS = 3;

  private LiveHeap() {}

  /**
   * The live heap that a structure adds.
   *
   * @param <T> what is made
   * @param maker makes it; whatever the result reaches is counted, rubbish is not
   * @return the bytes added
   */
  public static <T> long bytesOf(Supplier<T> maker) {
    long before = usedAfterCollection();
    T made = maker.get();
    try {
      return usedAfterCollection() - before;
    } finally {
      Reference.reachabilityFence(made);
    }
  }

  private static long usedAfterCollection() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
