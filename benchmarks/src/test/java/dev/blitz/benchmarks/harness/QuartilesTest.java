package dev.blitz.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class QuartilesTest {
  @Test
  void of_oddCount_takesValuesInTheMiddle() {
    assertThat(Quartiles.of(List.of(5.0, 1.0, 4.0, 2.0, 3.0))).isEqualTo(new Quartiles(2, 3, 4));
  }

  @Test
  void of_evenCount_interpolates() {
    assertThat(Quartiles.of(List.of(4.0, 3.0, 2.0, 1.0))).isEqualTo(new Quartiles(1.75, 2.5, 3.25));
  }

  @Test
  void of_oneValue_isThatValue() {
    assertThat(Quartiles.of(List.of(7.0))).isEqualTo(new Quartiles(7, 7, 7));
  }

  @Test
  void of_oneDisturbedRoundOfNine_doesNotMove() {
    var calm = List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0);
    var disturbed = List.of(1.0, 1.0, 1.0, 1.0, 50.0, 1.0, 1.0, 1.0, 1.0);
    assertThat(Quartiles.of(disturbed)).isEqualTo(Quartiles.of(calm));
  }

  @Test
  void of_nothingOrNaN_isRefused() {
    assertThatThrownBy(() -> Quartiles.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Quartiles.of(List.of(1.0, Double.NaN)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
