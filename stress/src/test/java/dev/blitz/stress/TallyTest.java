package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void allExecutedAndNoneFailed_passes() {
    Tally tally = tally(List.of("a", "b"), List.of("a", "b"), Map.of());

    assertThat(tally.passed()).isTrue();
    assertThat(tally.summary()).isEqualTo("2 declared, 2 executed, 0 failed");
  }

  @Test
  void fewerExecutedThanDeclared_doesNotPassAndNamesTheMissing() {
    Tally tally = tally(List.of("a", "b", "c"), List.of("b"), Map.of());

    assertThat(tally.passed()).isFalse();
    assertThat(tally.missing()).containsExactly("a", "c");
    assertThat(tally.summary()).isEqualTo("3 declared, 1 executed, 0 failed");
  }

  @Test
  void executedButUndeclared_doesNotMakeUpForTheMissing() {
    assertThat(tally(List.of("a"), List.of("b"), Map.of()).passed()).isFalse();
  }

  @Test
  void failure_doesNotPass() {
    assertThat(tally(List.of("a"), List.of("a"), Map.of("a", "broken")).passed()).isFalse();
  }

  @Test
  void nothingDeclared_doesNotPass() {
    assertThat(Tally.empty().passed()).isFalse();
  }

  @Test
  void plus_keepsWhatIsMissingOnEitherSide() {
    Tally sum =
        tally(List.of("a"), List.of("a"), Map.of())
            .plus(tally(List.of("b", "c"), List.of("c"), Map.of("c", "broken")));

    assertThat(sum.missing()).containsExactly("b");
    assertThat(sum.failures()).containsOnlyKeys("c");
    assertThat(sum.summary()).isEqualTo("3 declared, 2 executed, 1 failed");
  }

  private static Tally tally(
      List<String> declared, List<String> executed, Map<String, String> failures) {
    return new Tally(new TreeSet<>(declared), new TreeSet<>(executed), new TreeMap<>(failures));
  }
}
