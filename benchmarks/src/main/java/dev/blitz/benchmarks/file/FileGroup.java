package dev.blitz.benchmarks.file;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.io.internal.driver.backends.Backends;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Question: what do files cost that never block a worker, against calls that block a thread? A
 * reader that lost every row from the page cache would change our minds about reading there inside
 * the poll.
 */
public final class FileGroup {
  private static final String CHANNEL = "FileChannel";
  private static final String VIRTUAL = "virtual threads";
  private static final double NOT_BEHIND = 1.0;

  private static final FileSizes SIZES = FileSizes.FULL;

  private FileGroup() {}

  /** Made when the first contender needs it: groups are listed too. */
  private static final class Shared {
    static final FileWorld WORLD = new FileWorld(SIZES);
  }

  private static boolean hasRing() {
    return Backends.probeAll().stream().anyMatch(p -> p.name().equals("io_uring") && p.available());
  }

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    Supplier<FileWorld> world = () -> Shared.WORLD;
    List<String> backends = hasRing() ? List.of("io_uring", "epoll") : List.of("epoll");
    var blitz = new BlitzFiles(world, backends.getFirst());
    var lane = new BlitzFiles(world, "epoll");
    var jdk = new JdkFiles(world);
    String other = "blitz on the lane";
    return Group.of(
        "file",
        "What do files cost that never block a worker, against calls that block a thread? A file of 1 GB in the page"
            + " cache; blitz is on "
            + backends.getFirst()
            + ", two workers.",
        Workload.named("4 KB random reads, cached, one at a time")
            .operations(SIZES.reads())
            .blitz(() -> blitz.reads(1))
            .peer(Contender.timed(CHANNEL, () -> jdk.reads(1)), NOT_BEHIND)
            .peer(Contender.timed(other, () -> lane.reads(1)))
            .build(),
        Workload.named("4 KB random reads, cached, 64 at a time")
            .operations(SIZES.reads())
            .blitz(() -> blitz.reads(FileSizes.DEPTH))
            .peer(
                Contender.timed(
                    "FileChannel, 64 threads",
                    () ->
                        jdk.reads(
                            FileSizes.DEPTH, () -> Executors.newFixedThreadPool(FileSizes.DEPTH))),
                NOT_BEHIND)
            .peer(
                Contender.timed(
                    VIRTUAL,
                    () -> jdk.reads(FileSizes.DEPTH, Executors::newVirtualThreadPerTaskExecutor)),
                NOT_BEHIND)
            .peer(Contender.timed(other, () -> lane.reads(FileSizes.DEPTH)))
            .build(),
        Workload.named("4 KB random reads, direct, one at a time")
            .operations(SIZES.reads())
            .blitz(() -> blitz.directReads(1))
            .peer(Contender.timed(CHANNEL, () -> jdk.directReads(1)), NOT_BEHIND)
            .peer(Contender.timed(other, () -> lane.directReads(1)))
            .build(),
        Workload.named("4 KB random reads, direct, 64 at a time")
            .operations(SIZES.reads())
            .blitz(() -> blitz.directReads(FileSizes.DEPTH))
            .peer(
                Contender.timed(
                    "FileChannel, 64 threads",
                    () ->
                        jdk.directReads(
                            FileSizes.DEPTH, () -> Executors.newFixedThreadPool(FileSizes.DEPTH))),
                NOT_BEHIND)
            .peer(
                Contender.timed(
                    VIRTUAL,
                    () ->
                        jdk.directReads(
                            FileSizes.DEPTH, Executors::newVirtualThreadPerTaskExecutor)),
                NOT_BEHIND)
            .peer(Contender.timed(other, () -> lane.directReads(FileSizes.DEPTH)))
            .build(),
        Workload.named("copy through memory, per MB")
            .operations(SIZES.fileBytes() >> 20)
            .blitz(blitz::copy)
            .peer(Contender.timed(CHANNEL, jdk::copyByBuffer), NOT_BEHIND)
            .peer(Contender.timed(other, lane::copy))
            .build(),
        Workload.named("copy inside the system, per MB")
            .operations(SIZES.fileBytes() >> 20)
            .blitz(blitz::copyTree)
            .peer(Contender.timed("Files.copy", jdk::copyByFiles), NOT_BEHIND)
            .build(),
        Workload.named("10,000 files of 1 KB")
            .operations(SIZES.smallFiles())
            .blitz(blitz::smallFiles)
            .peer(Contender.timed("Files.readAllBytes", jdk::smallFiles), NOT_BEHIND)
            .peer(Contender.timed(VIRTUAL, jdk::smallFilesOnVirtualThreads), NOT_BEHIND)
            .build(),
        Workload.named("lines, per MB")
            .operations(SIZES.fileBytes() >> 20)
            .blitz(blitz::lines)
            .peer(Contender.timed("BufferedReader", jdk::lines), NOT_BEHIND)
            .peer(Contender.timed(other, lane::lines))
            .build());
  }
}
