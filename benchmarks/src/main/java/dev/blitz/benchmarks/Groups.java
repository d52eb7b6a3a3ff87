package dev.blitz.benchmarks;

import dev.blitz.benchmarks.channel.ChannelGroup;
import dev.blitz.benchmarks.data.DataGroup;
import dev.blitz.benchmarks.data.SortGroup;
import dev.blitz.benchmarks.direct.DirectGroup;
import dev.blitz.benchmarks.file.FileGroup;
import dev.blitz.benchmarks.forkjoin.ForkJoinGroup;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.net.NetGroup;
import dev.blitz.benchmarks.scaling.ScalingGroup;
import dev.blitz.benchmarks.scheduler.MemoryGroup;
import dev.blitz.benchmarks.scheduler.SchedulerGroup;
import dev.blitz.benchmarks.sync.SyncGroup;
import dev.blitz.benchmarks.timers.TimersGroup;
import java.util.List;

/** All groups, in the order of the report. A new group is one class and one line here. */
final class Groups {
  private Groups() {}

  static List<Group> all() {
    return List.of(
        HarnessGroup.group(),
        ForkJoinGroup.group(),
        DataGroup.group(),
        SortGroup.group(),
        SchedulerGroup.group(),
        MemoryGroup.group(),
        TimersGroup.group(),
        SyncGroup.group(),
        DirectGroup.group(),
        ChannelGroup.group(),
        FileGroup.group(),
        NetGroup.group(),
        ScalingGroup.group());
  }

  static Group named(String name) {
    return all().stream()
        .filter(g -> g.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UsageException("no group " + name + ": try list"));
  }

  static List<String> names() {
    return all().stream().map(Group::name).toList();
  }
}
