package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory ends in the midst of something: see {@link FileLittleMemory}. */
@Strict
@OnceIsEnough
class FileMemoryTest {
  private static final List<String> OPTIONS =
      List.of(
          "-Xmx12m",
          "-XX:MaxDirectMemorySize=64m",
          "-XX:+UseSerialGC",
          "-XX:-UseTLAB",
          "-XX:-UseGCOverheadLimit");

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll"})
  void littleMemory_leavesNothingOpenLockedOrMapped(String backend, @TempDir Path dir)
      throws Exception {
    TestBackends.assumeAvailable(backend);
    var result =
        ChildJvm.run(
            FileLittleMemory.class, OPTIONS, List.of(backend, dir.toRealPath().toString()));
    assertThat(result.output()).contains("refused: true").contains("wrong: none");
  }
}
