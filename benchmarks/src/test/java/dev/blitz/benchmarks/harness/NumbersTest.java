package dev.blitz.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NumbersTest {
  @Test
  void plain_hasAboutThreeDigits() {
    assertThat(Numbers.plain(12_345.6)).isEqualTo("12,346");
    assertThat(Numbers.plain(12.345)).isEqualTo("12.3");
    assertThat(Numbers.plain(1.2345)).isEqualTo("1.23");
    assertThat(Numbers.plain(0.0123)).isEqualTo("0.012");
    assertThat(Numbers.plain(0)).isEqualTo("0");
    assertThat(Numbers.plain(Double.NaN)).isEqualTo("-");
  }

  @Test
  void withUnit_scalesTimesOnly() {
    assertThat(Numbers.withUnit(12_200_000, "ns/op")).isEqualTo("12.2 ms/op");
    assertThat(Numbers.withUnit(53_400, "ns/op")).isEqualTo("53.4 us/op");
    assertThat(Numbers.withUnit(2e9, "ns/op")).isEqualTo("2.00 s/op");
    assertThat(Numbers.withUnit(953, "ns/op")).isEqualTo("953 ns/op");
    assertThat(Numbers.withUnit(53_400, "bytes/task")).isEqualTo("53,400 bytes/task");
  }

  @Test
  void numbersOf_kernelVersion_dropsWhatItsBuilderAppended() {
    assertThat(Environment.numbersOf("6.12.3-somebody-cloud")).isEqualTo("6.12");
    assertThat(Environment.numbersOf("unknown")).isEmpty();
  }
}
