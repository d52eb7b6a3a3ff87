package dev.blitz.benchmarks.scaling;

import dev.blitz.benchmarks.channel.ChannelGroup;
import dev.blitz.benchmarks.forkjoin.ForkJoinGroup;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.benchmarks.scheduler.MemoryGroup;
import dev.blitz.benchmarks.scheduler.SchedulerGroup;
import dev.blitz.benchmarks.timers.TimersGroup;
import java.util.List;
import java.util.stream.Stream;

/**
 * Question: does one cost the same, however many there are? A curve that rises would show what the
 * rows of one size hide.
 */
public final class ScalingGroup {
  private ScalingGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    return Group.of(
            "scaling",
            "Does one cost the same, however many there are? Connections, 1 to 10,000, are rows of net.",
            Stream.of(
                    SchedulerGroup.scaling(),
                    MemoryGroup.scaling(),
                    TimersGroup.scaling(),
                    ChannelGroup.scaling(),
                    ForkJoinGroup.scaling())
                .flatMap(List::stream)
                .toArray(Workload[]::new))
        .jvm("-Xms6g", "-Xmx6g", "-Djdk.virtualThreadScheduler.parallelism=2");
  }
}
