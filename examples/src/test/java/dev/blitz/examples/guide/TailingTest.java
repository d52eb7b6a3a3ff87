package dev.blitz.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.SendResult;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Strict
class TailingTest {

  @Test
  void tail_tellsLinesThatAreAdded_whole_alsoOfAFileThatBeginsAnew(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("app.log");
    Files.writeString(file, "first\n");
    Blitz.run(() -> {
      var lines = Channel.<String>bounded(16);
      try (var scope = TaskScope.open()) {
        scope.spawn(() ->
            Tailing.tail(file, line -> assertThat(lines.trySend(line)).isEqualTo(SendResult.SENT)));
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

  private static void append(Path file, String text) throws IOException {
    AsyncFile.append(file, text.getBytes(StandardCharsets.UTF_8)).await();
  }
}
