package dev.blitz.benchmarks.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.testkit.Strict;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Each contender does the same work. */
@Strict
class FileContendersTest {
  private static final FileWorld WORLD = new FileWorld(new FileSizes(128, 1 << 20, 50));

  private static void agree(List<Fixture> fixtures) throws Exception {
    long first = fixtures.getFirst().run();
    for (Fixture fixture : fixtures) {
      assertThat(fixture.run()).isEqualTo(first);
      fixture.tearDown();
    }
  }

  @Test
  void contenders_doTheSameWork() throws Exception {
    var jdk = new JdkFiles(() -> WORLD);
    var lane = new BlitzFiles(() -> WORLD, "epoll");
    agree(List.of(jdk.reads(1), lane.reads(1)));
    agree(
        List.of(
            jdk.reads(64),
            jdk.reads(64, Executors::newVirtualThreadPerTaskExecutor),
            lane.reads(64)));
    agree(
        List.of(
            jdk.directReads(64),
            jdk.directReads(64, Executors::newVirtualThreadPerTaskExecutor),
            lane.directReads(64),
            lane.reads(64)));
    agree(List.of(jdk.copyByBuffer(), jdk.copyByFiles(), lane.copy(), lane.copyTree()));
    agree(List.of(jdk.smallFiles(), jdk.smallFilesOnVirtualThreads(), lane.smallFiles()));
    agree(List.of(jdk.lines(), lane.lines()));
  }
}
