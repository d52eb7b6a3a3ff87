package dev.blitz.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What code costs in bytes, for tests that promise "allocates nothing" or "keeps nothing".
 *
 * <p>Run the code once before measuring: class loading, method handles and growing tables allocate
 * the first time only.
 */
public final class Memory {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Memory() {}

  /**
   * The bytes that the calling thread allocates in a piece of code. Exact, except that the compiler
   * may do away with objects that do not escape: keep those whose size is the question.
   *
   * @param body what to run, once, on the calling platform thread
   * @return the bytes, whether or not they are garbage by now
   */
  public static long allocatedBy(Runnable body) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    body.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /**
   * The least that {@link #allocatedBy} says in several runs. What a piece of code allocates itself
   * it allocates in each; what the JVM adds once, such as code for a method handle that has become
   * hot, is in few of them.
   *
   * @param body what to run, some times, on the calling platform thread
   * @return the bytes of the cheapest run
   */
  public static long allocatedByEach(Runnable body) {
    long least = Long.MAX_VALUE;
    for (int run = 0; run < 10; run++) {
      least = Math.min(least, allocatedBy(body));
    }
    return least;
  }

  /**
   * The bytes in use after a full collection. Other threads and the JVM's own caches blur it by
   * some megabytes, so it shows large leaks only.
   *
   * @return used bytes of the heap
   */
  public static long usedHeapAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /**
   * Whether references take four bytes, as promises about object sizes assume.
   *
   * @return the JVM's UseCompressedOops
   */
  public static boolean compressedReferences() {
    return Boolean.parseBoolean(
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("UseCompressedOops")
            .getValue());
  }
}
