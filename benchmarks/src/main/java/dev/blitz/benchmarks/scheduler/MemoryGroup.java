package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.LiveHeap;
import dev.blitz.benchmarks.harness.Workload;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Question: how much memory does something take that only waits? */
public final class MemoryGroup {
  private static final int TASKS = 1_000_000;
  private static final double MOST_BYTES = 128;
  private static final double BELOW_VIRTUAL_THREAD = 5;

  private MemoryGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    return Group.of(
            "memory",
            "How much memory does something take that only waits? A million of each, live heap after"
                + " collection; what would wake it is counted, its handle is dropped.",
            idleTasks())
        .jvm("-Xms4g", "-Xmx4g");
  }

  private static Workload idleTasks() {
    return Workload.named("1 M idle tasks")
        .unit("bytes/task")
        .subject(Contender.measured(Workload.BLITZ, MemoryGroup::blitz))
        .peer(Contender.measured("virtual threads", MemoryGroup::virtual), BELOW_VIRTUAL_THREAD)
        .peer(Contender.measured("Kotlin coroutines", MemoryGroup::kotlin), 1)
        .peer(TokioPeer.of("memory"), 1)
        .atMost(MOST_BYTES)
        .build();
  }

  private static double blitz() {
    try (var runtime = BlitzTasks.runtime()) {
      return perTask(LiveHeap.bytesOf(() -> new IdleTasks(runtime, TASKS)));
    }
  }

  private static double virtual() {
    return measure(() -> new IdleThreads(TASKS), IdleThreads::end);
  }

  private static double kotlin() {
    return measure(() -> new KotlinMemory(TASKS), KotlinMemory::end);
  }

  private static <T> double measure(Supplier<T> maker, Consumer<T> end) {
    var made = new AtomicReference<T>();
    long bytes =
        LiveHeap.bytesOf(() -> {
          made.set(maker.get());
          return made;
        });
    end.accept(made.get());
    return perTask(bytes);
  }

  private static double perTask(long bytes) {
    return (double) bytes / TASKS;
  }
}
