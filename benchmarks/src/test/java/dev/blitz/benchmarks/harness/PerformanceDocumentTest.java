package dev.blitz.benchmarks.harness;

import static dev.blitz.benchmarks.harness.SampleResults.contender;
import static dev.blitz.benchmarks.harness.SampleResults.group;
import static dev.blitz.benchmarks.harness.SampleResults.workload;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PerformanceDocumentTest {
  @TempDir Path root;
  Path docs = Path.of("unused");
  PerformanceDocument document = new PerformanceDocument(Path.of("unused"), List.of());

  @BeforeEach
  void makeDocument() throws IOException {
    docs = Files.createDirectory(root.resolve("docs"));
    document = new PerformanceDocument(docs, List.of("scheduler", "channel"));
  }

  @Test
  void update_oneGroup_keepsTheOtherSectionAndPageByteForByte() throws IOException {
    document.update(result("scheduler", 5.0));
    var before = Files.readString(document.update(result("channel", 7.0)));
    var channel = page("channel");
    assertThat(page("scheduler")).contains("| holds |").doesNotContain("| MISS |");
    var after = Files.readString(document.update(result("scheduler", 20.0)));
    assertThat(section(after, "channel")).isEqualTo(section(before, "channel"));
    assertThat(section(after, "scheduler")).isNotEqualTo(section(before, "scheduler"));
    assertThat(page("channel")).isEqualTo(channel);
    assertThat(page("scheduler")).contains("| MISS |").doesNotContain("| holds |");
  }

  @Test
  void section_hasWhatWasMissed_andLeadsToAllRows() throws IOException {
    var missed = section(Files.readString(document.update(result("channel", 20.0))), "channel");
    assertThat(missed)
        .contains("| w | 20.0 ns/op | peer 10.0 ns/op | 0.50", "(performance/channel.md)");
    var held = section(Files.readString(document.update(result("channel", 5.0))), "channel");
    assertThat(held).contains("1 held, 0 missed", "(performance/channel.md)").doesNotContain("|");
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
    document.add(
        group(
            "channel",
            workload("first", List.of(), contender("blitz", 77.0), contender("Jox", 9.0))));
    assertThat(page("channel"))
        .containsSubsequence("| first | 77.0 ns/op", "| second | 5", "| third | 6");
  }

  @Test
  void update_sectionsFollowTheOrderGiven_thenNames() throws IOException {
    document.update(result("aaa", 5.0));
    document.update(result("channel", 5.0));
    var text = Files.readString(document.update(result("scheduler", 5.0)));
    assertThat(text).containsSubsequence("## Method", "## scheduler", "## channel", "## aaa");
  }

  @Test
  void update_writesAChart_withThePeerItsRatioAndAMissedGoal() throws Exception {
    document.update(result("channel", 20.0));
    String picture = Files.readString(docs.resolve("performance/channel.svg"));
    assertThat(picture).contains(">peer</text>", ">0.50x, goal 1.00x</text>");
    assertThat(isPicture("channel")).isTrue();
    assertThat(page("channel")).contains("(channel.svg)");
  }

  @Test
  void update_ofManyPeers_showsThreeOfThem_missesAndGoalsFirst() throws Exception {
    document.update(
        group(
            "channel",
            workload(
                "a < b",
                List.of(Target.ratio("wanted", 1), Target.ratio("missed", 3)),
                contender("blitz", 5.0),
                contender("first", 10.0),
                contender("second", 10.0),
                contender("wanted", 10.0),
                contender("missed", 10.0))));
    assertThat(Files.readString(docs.resolve("performance/channel.svg")))
        .containsSubsequence("a &lt; b", "first", "wanted", "missed")
        .doesNotContain("second");
    assertThat(isPicture("channel")).isTrue();
  }

  @Test
  void update_ofRowsThatDifferInASize_drawsCurves() throws Exception {
    document.update(
        group(
            "scaling",
            workload("tasks: 1,000", List.of(), contender("blitz", 5.0), contender("Jox", 10.0)),
            workload("tasks: 10,000", List.of(), contender("blitz", 6.0), contender("Jox", 99.0)),
            workload("producers: 1", List.of(), contender("blitz", 7.0))));
    assertThat(Files.readString(docs.resolve("performance/scaling.svg")))
        .contains("tasks, ns/op", "producers, ns/op", "10 K", "blitz 6.00", "Jox 99.0");
    assertThat(isPicture("scaling")).isTrue();
  }

  @Test
  void update_sumsUp_alsoOnThePageThatHasAPlaceForIt() throws IOException {
    Path readme = docs.resolveSibling("README.md");
    Files.writeString(
        readme,
        """
        before
        <!-- figures: written by ./blitz bench -->
        old
        <!-- end of figures -->
        after
        """);
    var text = Files.readString(document.update(result("channel", 20.0)));
    assertThat(text).contains("| [channel](#channel) | 0 | 1 | 0.50x peer: w | 0.50x peer: w |");
    assertThat(Files.readString(readme))
        .startsWith("before\n")
        .endsWith("after\n")
        .contains("(docs/performance.md#channel) | 0 | 1 |")
        .doesNotContain("old");
  }

  @Test
  void update_ofAGroupWithoutBlitz_isNotOnThePageForReaders() throws IOException {
    Path readme = docs.resolveSibling("README.md");
    Files.writeString(
        readme, "<!-- figures: written by ./blitz bench -->\n<!-- end of figures -->\n");
    document.update(result("channel", 20.0));
    var queue = contender("queue", 5.0);
    var others = workload("w", WorkloadResult.Profile.IN_ORDER, "queue", List.of(), queue);
    var text = Files.readString(document.update(group("harness", others)));
    assertThat(text).contains("| [harness](#harness) |", "## harness");
    assertThat(Files.readString(readme)).contains("[channel]").doesNotContain("harness");
  }

  @Test
  void update_saysWhatTheWordsOfItsTablesMean_andWhatElseThereIs() throws IOException {
    assertThat(Files.readString(document.update(result("channel", 5.0))))
        .contains("Held and missed: ", "polluted", "clean")
        .contains("(performance/servers.md)", "(performance/attempts.md)");
  }

  @Test
  void section_namesTheProcessor_ifItIsKnown() throws IOException {
    assertThat(Files.readString(document.update(result("channel", 5.0))))
        .contains("OpenJDK 25, G1, 2 cores, Linux");
    var where = new Environment("OpenJDK 25", "G1", 2, "AMD EPYC with AVX-512", "Linux", "today");
    var row = workload("w", List.of(), contender("blitz", 5.0));
    assertThat(Files.readString(document.update(group("channel", where, row))))
        .contains("OpenJDK 25, G1, 2 cores of AMD EPYC with AVX-512, Linux");
  }

  private boolean isPicture(String name) throws Exception {
    var parsed =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(docs.resolve("performance/" + name + ".svg").toFile());
    return parsed.getDocumentElement().getTagName().equals("svg");
  }

  @Test
  void update_peersThatDifferFromRowToRow_areDrawnToo() throws IOException {
    document.update(
        group(
            "channel",
            workload("a", List.of(), contender("blitz", 5.0), contender("Jox", 10.0)),
            workload("b", List.of(), contender("blitz", 5.0), contender("Kotlin", 2.0))));
    assertThat(docs.resolve("performance/channel.svg")).exists();
  }

  @Test
  void update_withoutAnyRatio_hasNoChart() throws IOException {
    document.update(result("channel", 5.0));
    document.update(group("channel", workload("w", List.of(), contender("blitz", 5.0))));
    assertThat(docs.resolve("performance/channel.svg")).doesNotExist();
    assertThat(page("channel")).doesNotContain(".svg");
  }

  @Test
  void chart_hasTheRowsWithAGoal_ifThereAreAny() throws IOException {
    document.update(
        group(
            "channel",
            workload(
                "judged",
                List.of(Target.ratio("Jox", 1)),
                contender("blitz", 5.0),
                contender("Jox", 9.0)),
            workload("told", List.of(), contender("blitz", 5.0), contender("Jox", 9.0))));
    assertThat(Files.readString(docs.resolve("performance/channel.svg")))
        .contains("judged")
        .doesNotContain("told");
  }

  private String page(String group) throws IOException {
    return Files.readString(docs.resolve("performance/" + group + ".md"));
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
