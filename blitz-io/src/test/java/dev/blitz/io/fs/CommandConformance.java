package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The same as the system's own programs. */
abstract class CommandConformance extends FileConformance {
  CommandConformance(String backend) {
    super(backend);
  }

  static String output(String... command) throws Exception {
    assumeTrue(Files.exists(Path.of("/usr/bin", command[0])), "no " + command[0]);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void aCopy_hasTheChecksumOfCp() throws Exception {
    Path from = Files.write(dir.resolve("from"), noise(9_000_001, 12));
    Path copied = dir.resolve("copied");
    Path streamed = dir.resolve("streamed");
    output("cp", from.toString(), dir.resolve("cp").toString());
    await(() -> FileTree.copy(from, copied));
    runtime.run(() -> {
      try (var in = AsyncFile.open(from).await();
          var out = AsyncFile.create(streamed).await()) {
        Bytes.copy(in, out).await();
      }
    });
    String sum = output("sha256sum", dir.resolve("cp").toString()).substring(0, 64);
    assertThat(output("sha256sum", copied.toString())).startsWith(sum);
    assertThat(output("sha256sum", streamed.toString())).startsWith(sum);
  }

  @Test
  void lines_areAsManyAsWcSays() throws Exception {
    var random = new SplittableRandom(13);
    var text = new StringBuilder();
    while (text.length() < 8_000_000) {
      text.append("x".repeat(random.nextInt(200))).append('\n');
    }
    Path path = write("lines", text.toString());
    long[] count = {0};
    runtime.run(() -> {
      try (var lines = AsyncFile.lines(path)) {
        for (String line : lines) {
          count[0] += line.isEmpty() || line.endsWith("x") ? 1 : 0;
        }
      }
    });
    assertThat(output("wc", "-l", path.toString())).startsWith(count[0] + " ");
  }
}
