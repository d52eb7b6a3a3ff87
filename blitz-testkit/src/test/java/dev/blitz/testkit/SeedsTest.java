package dev.blitz.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@Strict
class SeedsTest {

  private static final List<Long> DRAWN = new ArrayList<>();
  private static final List<String> LEFT_BEHIND = new ArrayList<>();

  @AfterEach
  void clear() {
    DRAWN.clear();
    LEFT_BEHIND.clear();
  }

  @Seeded
  static class FailingFixture {
    @Test
    void fails(TestSeed seed) {
      DRAWN.add(seed.random().nextLong());
      throw new IllegalStateException("unlucky");
    }
  }

  private static TestSeed seedIn(Throwable failure) {
    assertThat(failure.getSuppressed()).hasSize(1);
    String note = String.valueOf(failure.getSuppressed()[0].getMessage());
    assertThat(note).matches("seed (-?\\d+), replay with -Dblitz\\.seed=\\1");
    return TestSeed.parse(note.substring(note.indexOf('=') + 1));
  }

  @Test
  void failure_namesTheSeed_whichReplaysIt() {
    TestSeed seed = seedIn(Fixtures.onlyFailure(FailingFixture.class));
    TestSeed other = seedIn(Fixtures.onlyFailure(FailingFixture.class));
    Fixtures.run(FailingFixture.class, Map.of("blitz.seed", Long.toString(seed.value())));

    assertThat(seed).isNotEqualTo(other);
    assertThat(DRAWN)
        .containsExactly(
            seed.random().nextLong(), other.random().nextLong(), seed.random().nextLong());
  }

  @Seeded
  static class UnseededFixture {
    @Test
    void failsWithoutSeed() {
      throw new IllegalStateException("certain");
    }
  }

  @Test
  void failureOfTestWithoutSeed_staysAsItIs() {
    assertThat(Fixtures.onlyFailure(UnseededFixture.class).getSuppressed()).isEmpty();
  }

  @Seeded
  static class PhasesFixture {
    @BeforeEach
    void setUp(TestSeed seed) {
      DRAWN.add(seed.value());
    }

    @RepeatedTest(2)
    void draws(TestSeed seed) {
      DRAWN.add(seed.value());
    }
  }

  @Test
  void phasesOfATest_shareASeed_andTestsDoNot() {
    assertThat(Fixtures.failures(Fixtures.run(PhasesFixture.class))).isEmpty();

    assertThat(DRAWN).hasSize(4);
    assertThat(DRAWN.get(0)).isEqualTo(DRAWN.get(1)).isNotEqualTo(DRAWN.get(2));
    assertThat(DRAWN.get(2)).isEqualTo(DRAWN.get(3));
  }

  static final class Unsuppressible extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unsuppressible() {
      super("bare", null, false, false);
    }
  }

  @Seeded
  static class UnsuppressibleFixture {
    @Test
    void fails(TestSeed seed) {
      DRAWN.add(seed.value());
      throw new Unsuppressible();
    }
  }

  @Test
  void failureWithoutRoomForSuppressed_isWrapped() {
    assertThat(Fixtures.onlyFailure(UnsuppressibleFixture.class))
        .hasCauseInstanceOf(Unsuppressible.class)
        .hasMessageContaining("-Dblitz.seed=" + DRAWN.getFirst());
  }

  @Strict
  static class LeakingFixture {
    @Test
    void leaks(TestSeed seed) {
      DRAWN.add(seed.value());
      LEFT_BEHIND.add("something");
    }
  }

  @Test
  void leak_namesTheSeed() {
    var probe =
        new LeakProbe() {
          @Override
          public String name() {
            return "thing";
          }

          @Override
          public List<String> live() {
            return LEFT_BEHIND;
          }
        };
    try (var _ = LeakProbe.register(probe)) {
      assertThat(Fixtures.onlyFailure(LeakingFixture.class))
          .hasMessageContaining("thing something")
          .hasMessageContaining("-Dblitz.seed=" + DRAWN.getFirst());
    }
  }

  @Test
  void streams_dependOnSeedAndNumberAlone() {
    var seed = new TestSeed(42);

    assertThat(seed.derive(3)).isEqualTo(new TestSeed(42).derive(3));
    assertThat(List.of(seed, seed.derive(0), seed.derive(1), new TestSeed(43).derive(0)))
        .doesNotHaveDuplicates();
    assertThat(seed.random().nextLong()).isEqualTo(seed.random().nextLong());
  }

  @Test
  void parse_takesDecimalAndHex_andRefusesTheRest() {
    assertThat(TestSeed.parse(" -7 ")).isEqualTo(new TestSeed(-7));
    assertThat(TestSeed.parse("0x10")).isEqualTo(new TestSeed(16));
    assertThatThrownBy(() -> TestSeed.parse("soon"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("blitz.seed is not a 64-bit number: soon");
  }
}
