package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.Blitz;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of docs/guide/processes.md, as they stand there. */
@Strict
class ProcessGuideTest {
  @TempDir Path directory;

  @BeforeEach
  void needsPosix() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a POSIX system");
  }

  private static Output log(Path repo) throws IOException {
    return Command.of("git", "log", "--oneline").directory(repo).output().await().orThrow();
  }

  @Test
  void output_ofACommand_andOfAPipeline() throws Exception {
    Files.writeString(directory.resolve("big.txt"), "b\na\nb\n");
    Blitz.run(() -> {
      Command cat = Command.of("cat", "big.txt").directory(directory);
      Output top = cat.pipe(Command.of("sort")).pipe(Command.of("uniq", "-c")).output().await();
      assertThat(top.text().lines().map(String::strip)).containsExactly("1 a", "2 b");
      try {
        assertThat(log(directory).text()).isNotEmpty();
      } catch (
          IOException e) { // no git, or, as everywhere below a directory of its own, no repository
        assertThat(e).hasMessageContaining("git");
      }
    });
  }

  @Test
  void child_isFedAndHeard() throws Exception {
    ByteBuffer lines = StandardCharsets.UTF_8.encode("one\ntwo\n");
    Blitz.run(() -> {
      try (Child child =
          Command.of("wc", "-l").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start().await()) {
        child.stdin().writeAll(lines).await();
        child.stdin().shutdown().await(); // the end of its input
        Output counted = child.output().await();
        assertThat(counted.text().strip()).isEqualTo("2");
      }
    });
  }

  @Test
  void lines_areASource() throws Exception {
    Blitz.run(() -> {
      List<String> seen = new ArrayList<>();
      try (var lines = Command.of("printf", "one\\ntwo\\n").lines()) {
        for (String line : lines) {
          seen.add(line);
        }
      }
      assertThat(seen).containsExactly("one", "two");
    });
  }
}
