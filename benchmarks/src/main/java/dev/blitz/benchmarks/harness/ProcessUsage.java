package dev.blitz.benchmarks.harness;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;

/**
 * What this process has used since it started: CPU time of all threads, the JVM's own included, and
 * bytes allocated by all Java threads, those that have ended included.
 */
public record ProcessUsage(long cpuNanos, long allocatedBytes) {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /**
   * What the process has used so far.
   *
   * @return the counters now
   */
  public static ProcessUsage now() {
    // The bean counts in ticks of 10 ms on Linux, 5 % of a slice: ask the kernel where possible.
    OptionalLong exact = CpuClockCalls.processCpuNanos();
    return new ProcessUsage(
        exact.isPresent() ? exact.getAsLong() : SYSTEM.getProcessCpuTime(),
        THREADS.getTotalThreadAllocatedBytes());
  }

  /**
   * What was used in between.
   *
   * @param earlier taken before this
   * @return the difference
   */
  public ProcessUsage minus(ProcessUsage earlier) {
    return new ProcessUsage(
        cpuNanos - earlier.cpuNanos, Math.max(0, allocatedBytes - earlier.allocatedBytes));
  }
}
