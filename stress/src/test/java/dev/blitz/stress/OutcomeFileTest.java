package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeFileTest {
  @TempDir Path folder;

  @Test
  void events_comeBackAsATally() throws IOException {
    var file = new OutcomeFile(folder.resolve("outcomes.tsv"));
    String message = "first\tline\nC:\\second \"line\"\r\n";
    file.declared("a");
    file.declared("b");
    file.declared("c");
    file.passed("a");
    file.failed("b", message);

    Tally tally = file.read();

    assertThat(tally.declared()).containsExactly("a", "b", "c");
    assertThat(tally.executed()).containsExactly("a", "b");
    assertThat(tally.failures()).containsOnlyKeys("b").containsEntry("b", message);
    assertThat(tally.missing()).containsExactly("c");
  }

  @Test
  void childThatNeverWrote_declaredNothing() throws IOException {
    assertThat(new OutcomeFile(folder.resolve("absent")).read()).isEqualTo(Tally.empty());
  }

  @Test
  void unknownLine_isAnError() throws IOException {
    Path path = Files.writeString(folder.resolve("outcomes.tsv"), "nonsense\ta\t\n");

    assertThatIOException().isThrownBy(() -> new OutcomeFile(path).read());
  }
}
