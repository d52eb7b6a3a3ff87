package dev.blitz.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void run_oneWorkloadQuickly_forksAndWritesJsonThatCompares(@TempDir Path folder)
      throws Exception {
    String results = folder.resolve("results").toString();
    String docs = folder.resolve("docs").toString();
    int exit = run("harness", "--quick", "--only", "memory", "--results", results, "--docs", docs);
    assertThat(exit).isZero();
    assertThat(printed(out)).contains("| verdict").contains("memory of 1 M elements");
    assertThat(Files.exists(Path.of(docs))).isFalse();

    String json = Path.of(results, "harness.json").toString();
    assertThat(run("compare", json, json)).isZero();
    assertThat(printed(out)).contains("+0.0 %");
  }

  @Test
  void run_list_namesEveryGroup() throws Exception {
    assertThat(run("list")).isZero();
    assertThat(printed(out)).contains(Groups.names());
  }

  @Test
  void run_wrongCommandLine_isOneSentenceAndExitTwo() throws Exception {
    assertThat(run("no-such-group")).isEqualTo(2);
    assertThat(run("--gc", "serial")).isEqualTo(2);
    assertThat(run("--gc")).isEqualTo(2);
    assertThat(run("--fast")).isEqualTo(2);
    assertThat(run("compare", "one.json")).isEqualTo(2);
    assertThat(printed(err).lines()).hasSize(5).allMatch(l -> l.startsWith("bench: "));
  }

  @Test
  void kotlinPeer_calledFromJava_suspendsAndSums() {
    assertThat(KotlinChannels.pump(1, 100)).isEqualTo(5_050);
  }

  private int run(String... args) throws InterruptedException {
    return Main.run(List.of(args), stream(out), stream(err));
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static String printed(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
