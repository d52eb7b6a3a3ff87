package dev.blitz.benchmarks.harness;

import static dev.blitz.benchmarks.harness.SampleResults.allocating;
import static dev.blitz.benchmarks.harness.SampleResults.contender;
import static dev.blitz.benchmarks.harness.SampleResults.group;
import static dev.blitz.benchmarks.harness.SampleResults.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFilesTest {
  @Test
  void write_thenRead_givesTheSameResult(@TempDir Path folder) throws IOException {
    var targets = List.of(Target.ratio("peer", 1.3), Target.zeroBytes(), Target.atMost(128));
    var result =
        group(
            "sync",
            workload("a | b", targets, contender("blitz", 1.5, 2.25), contender("peer", 3.0, 4.0)),
            workload("second", List.of(), allocating("blitz", 1e-7, 0)));
    var file = ResultFiles.writeInto(result, folder.resolve("made/as/needed"));
    assertThat(file).hasFileName("sync.json");
    assertThat(ResultFiles.read(file)).isEqualTo(result);
  }

  @Test
  void writeInto_otherCollector_hasItsOwnFile(@TempDir Path folder) throws IOException {
    var zgc = new Environment("OpenJDK 25", "ZGC", 2, "EPYC", "Linux", "today");
    assertThat(ResultFiles.writeInto(group("sync", zgc), folder)).hasFileName("sync-zgc.json");
  }

  @Test
  void toJson_unmeasuredValue_isNullAndNotNaN() {
    var json = ResultFiles.toJson(group("sync", workload("w", List.of(), contender("blitz", 1.0))));
    assertThat(json).contains("null").doesNotContain("NaN");
  }

  @Test
  void read_ofAFileFromBeforeTheProcessorWasRecorded_hasNone() {
    var zgc = new Environment("OpenJDK 25", "ZGC", 2, "EPYC", "Linux", "today");
    var json = ResultFiles.toJson(group("sync", zgc));
    var old = json.replaceFirst("\\s*\"processor\": \"EPYC\",", "");
    assertThat(old).isNotEqualTo(json);
    assertThat(ResultFiles.fromJson(json).environment()).isEqualTo(zgc);
    assertThat(ResultFiles.fromJson(old).environment())
        .isEqualTo(new Environment("OpenJDK 25", "ZGC", 2, "", "Linux", "today"));
  }

  @Test
  void read_otherSchemaOrNoJson_saysSo(@TempDir Path folder) throws IOException {
    for (var text : List.of("{\"schema\": 99}", "", "{", "[]")) {
      var file = Files.writeString(folder.resolve("x.json"), text);
      assertThatThrownBy(() -> ResultFiles.read(file))
          .isInstanceOf(IOException.class)
          .hasMessage("x.json is not a benchmark result");
    }
  }
}
