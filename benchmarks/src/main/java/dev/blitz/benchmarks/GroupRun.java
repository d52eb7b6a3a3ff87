package dev.blitz.benchmarks;

import dev.blitz.benchmarks.harness.ForkedRun;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.GroupResult;
import dev.blitz.benchmarks.harness.WorkloadResult.Profile;
import java.io.IOException;
import java.util.List;

/** Runs one group in as many JVMs as its profiles ask for. */
final class GroupRun {
  private final Group group;
  private final Options options;

  GroupRun(Group group, Options options) {
    this.group = group;
    this.options = options;
  }

  GroupResult run() throws IOException, InterruptedException {
    String selection = options.only().isEmpty() ? Child.ALL : options.only();
    return switch (group.profiles()) {
      case IN_ORDER -> fork(selection, Profile.IN_ORDER);
      case CLEAN_AND_POLLUTED -> cleanAndPolluted(selection);
    };
  }

  private GroupResult cleanAndPolluted(String selection) throws IOException, InterruptedException {
    var polluted = fork(selection, Profile.POLLUTED);
    for (var workload : selected(selection)) {
      polluted = polluted.plus(fork(Child.EXACTLY + workload, Profile.CLEAN));
    }
    return polluted;
  }

  private List<String> selected(String selection) {
    return group.workloads().stream()
        .filter(Child.selection(selection))
        .map(w -> w.name())
        .toList();
  }

  private GroupResult fork(String selection, Profile profile)
      throws IOException, InterruptedException {
    var arguments = Child.arguments(group, options.quick(), selection, profile);
    return ForkedRun.run(Child.class, group, options.gc(), arguments);
  }
}
