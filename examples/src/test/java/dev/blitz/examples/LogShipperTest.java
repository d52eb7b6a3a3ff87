package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.SendResult;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Strict
class LogShipperTest {

  @Test
  void tail_tellsLinesThatAreAdded_whole_alsoOfAFileThatBeginsAnew(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("app.log");
    Files.writeString(file, "first\n");
    Blitz.run(() -> {
      var lines = Channel.<String>bounded(16);
      try (var scope = TaskScope.open()) {
        scope.spawn(() ->
            LogShipper.tail(
                file, line -> assertThat(lines.trySend(line)).isEqualTo(SendResult.SENT)));
        assertThat(lines.next().await()).contains("first");
        append(directory.resolve("other.log"), "nothing of ours\n");
        append(file, "sec");
        append(file, "ond\nth\u00ef");
        append(file, "rd\n");
        assertThat(lines.next().await()).contains("second");
        assertThat(lines.next().await()).contains("th\u00efrd");
        AsyncFile.replace(file, "anew\n".getBytes(StandardCharsets.UTF_8)).await();
        assertThat(lines.next().await()).contains("anew");
        scope.cancel();
      }
    });
  }

  @Test
  void tail_readsARotatedFileToItsEnd_thenTheNextFromItsBeginning(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("app.log");
    Files.writeString(file, "first\n");
    Blitz.run(() -> {
      var lines = Channel.<String>bounded(16);
      try (var scope = TaskScope.open()) {
        scope.spawn(() ->
            LogShipper.tail(
                file,
                line -> {
                  lines.trySend(line);
                  if (line.equals("first")) {
                    rotate(file);
                  }
                }));
        for (var line : List.of("first", "the last of the old one", "the first of the next", "2")) {
          assertThat(lines.next().await()).contains(line);
        }
        scope.cancel();
      }
    });
  }

  /** The writer has not been told yet. */
  @Test
  void tail_readsOn_whileNoOtherFileHasTheName(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("app.log");
    Path old = directory.resolve("app.log.1");
    Files.writeString(file, "first\n");
    Blitz.run(() -> {
      var lines = Channel.<String>bounded(16);
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> LogShipper.tail(file, lines::trySend));
        assertThat(lines.next().await()).contains("first");
        Files.move(file, old);
        append(old, "second\n");
        assertThat(lines.next().await()).contains("second");
        append(old, "third\n");
        assertThat(lines.next().await()).contains("third");
        append(file, "anew\n");
        assertThat(lines.next().await()).contains("anew");
        scope.cancel();
      }
    });
  }

  @Test
  void tail_tellsALastLineThatHasNoEnd_whenAnotherFileHasTheName(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("app.log");
    Files.writeString(file, "first\nits l\u00efne is cut");
    Blitz.run(() -> {
      var lines = Channel.<String>bounded(16);
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> LogShipper.tail(file, lines::trySend));
        assertThat(lines.next().await()).contains("first");
        AsyncFile.replace(file, "anew\n".getBytes(StandardCharsets.UTF_8)).await();
        assertThat(lines.next().await()).contains("its l\u00efne is cut");
        assertThat(lines.next().await()).contains("anew");
        scope.cancel();
      }
    });
  }

  /** More is written, then another file, a longer one, has the name. */
  private static void rotate(Path file) {
    try {
      Files.writeString(file, "the last of the old one\n", StandardOpenOption.APPEND);
      Files.move(file, file.resolveSibling("app.log.1"));
      Files.writeString(file, "the first of the next\n2\n" + "long ".repeat(20));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void append(Path file, String text) throws IOException {
    AsyncFile.append(file, text.getBytes(StandardCharsets.UTF_8)).await();
  }
}
