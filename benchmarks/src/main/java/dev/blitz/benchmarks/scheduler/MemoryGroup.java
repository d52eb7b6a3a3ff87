package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.LiveHeap;
import dev.blitz.benchmarks.harness.Workload;
import java.util.ArrayList;
import java.util.List;
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

  /**
   * The same of more and of fewer.
   *
   * @return points of a curve
   */
  public static List<Workload> scaling() {
    List<Workload> points = new ArrayList<>();
    for (int n = 1_000; n <= 10_000_000; n *= 10) {
      int count = n;
      var point =
          Workload.named("memory of a task that waits: %,d".formatted(count))
              .unit("bytes/task")
              .subject(Contender.measured(Workload.BLITZ, () -> blitz(count)));
      if (count <= TASKS) {
        point.peer(Contender.measured("virtual threads", () -> virtual(count)));
      }
      points.add(point.build());
    }
    return points;
  }

  private static Workload idleTasks() {
    return Workload.named("1 M idle tasks")
        .unit("bytes/task")
        .subject(Contender.measured(Workload.BLITZ, () -> blitz(TASKS)))
        .peer(Contender.measured("virtual threads", () -> virtual(TASKS)), BELOW_VIRTUAL_THREAD)
        .peer(Contender.measured("Kotlin coroutines", MemoryGroup::kotlin), 1)
        .peer(TokioPeer.of("memory"), 1)
        .atMost(MOST_BYTES)
        .build();
  }

  private static double blitz(int count) {
    try (var runtime = BlitzTasks.runtime()) {
      return (double) LiveHeap.bytesOf(() -> new IdleTasks(runtime, count)) / count;
    }
  }

  private static double virtual(int count) {
    return (double) measure(() -> new IdleThreads(count), IdleThreads::end) / count;
  }

  private static double kotlin() {
    return (double) measure(() -> new KotlinMemory(TASKS), KotlinMemory::end) / TASKS;
  }

  private static <T> long measure(Supplier<T> maker, Consumer<T> end) {
    var made = new AtomicReference<T>();
    long bytes =
        LiveHeap.bytesOf(() -> {
          made.set(maker.get());
          return made;
        });
    end.accept(made.get());
    return bytes;
  }
}
