package dev.blitz.benchmarks.harness;

import static dev.blitz.benchmarks.harness.SampleResults.contender;
import static dev.blitz.benchmarks.harness.SampleResults.group;
import static dev.blitz.benchmarks.harness.SampleResults.workload;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PerformanceDocumentTest {
  @TempDir Path docs;
  PerformanceDocument document = new PerformanceDocument(Path.of("unused"), List.of());

  @BeforeEach
  void makeDocument() {
    document = new PerformanceDocument(docs, List.of("scheduler", "channel"));
  }

  @Test
  void update_oneGroup_keepsTheOtherSectionByteForByte() throws IOException {
    document.update(result("scheduler", 5.0));
    var before = Files.readString(document.update(result("channel", 7.0)));
    var after = Files.readString(document.update(result("scheduler", 20.0)));
    assertThat(section(after, "channel")).isEqualTo(section(before, "channel"));
    assertThat(section(after, "scheduler")).isNotEqualTo(section(before, "scheduler"));
    assertThat(section(before, "scheduler")).contains("| holds |").doesNotContain("| MISS |");
    assertThat(section(after, "scheduler")).contains("| MISS |").doesNotContain("| holds |");
  }

  @Test
  void add_keepsTheOtherRowsInTheirOrder() throws IOException {
    document.update(
        group(
            "channel",
            workload("first", List.of(), contender("blitz", 5.0), contender("Jox", 10.0)),
            workload("second", List.of(), contender("blitz", 5.0), contender("Jox", 10.0))));
    document.add(
        group(
            "channel",
            workload("third", List.of(), contender("blitz", 6.0), contender("Jox", 9.0))));
    var text =
        Files.readString(
            document.add(
                group(
                    "channel",
                    workload(
                        "first", List.of(), contender("blitz", 77.0), contender("Jox", 9.0)))));
    assertThat(text).containsSubsequence("| first | 77.0 ns/op", "| second | 5", "| third | 6");
  }

  @Test
  void update_sectionsFollowTheOrderGiven_thenNames() throws IOException {
    document.update(result("aaa", 5.0));
    document.update(result("channel", 5.0));
    var text = Files.readString(document.update(result("scheduler", 5.0)));
    assertThat(text).containsSubsequence("## Method", "## scheduler", "## channel", "## aaa");
  }

  @Test
  void update_writesAChartThatIsAPicture() throws IOException {
    document.update(result("channel", 5.0));
    var picture = ImageIO.read(docs.resolve("performance/channel.png").toFile());
    assertThat(picture.getWidth()).isGreaterThan(500);
    assertThat(Files.readString(docs.resolve("performance.md")))
        .contains("(performance/channel.png)");
  }

  @Test
  void update_peersThatDifferFromRowToRow_areDrawnToo() throws IOException {
    document.update(
        group(
            "channel",
            workload("a", List.of(), contender("blitz", 5.0), contender("Jox", 10.0)),
            workload("b", List.of(), contender("blitz", 5.0), contender("Kotlin", 2.0))));
    assertThat(docs.resolve("performance/channel.png")).exists();
  }

  @Test
  void update_withoutAnyRatio_hasNoChart() throws IOException {
    document.update(result("channel", 5.0));
    document.update(group("channel", workload("w", List.of(), contender("blitz", 5.0))));
    assertThat(docs.resolve("performance/channel.png")).doesNotExist();
    assertThat(Files.readString(docs.resolve("performance.md"))).doesNotContain(".png");
  }

  private static GroupResult result(String name, double blitz) {
    var targets = List.of(Target.ratio("peer", 1));
    return group(name, workload("w", targets, contender("blitz", blitz), contender("peer", 10.0)));
  }

  private static String section(String text, String name) {
    int start = text.indexOf("## " + name + "\n");
    assertThat(start).isPositive();
    int end = text.indexOf("\n## ", start + 1);
    return end < 0 ? text.substring(start) : text.substring(start, end);
  }
}
