package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class SpareWorkersTest {
  private final List<Integer> started = new ArrayList<>();
  private final AtomicInteger said = new AtomicInteger();
  private final SpareWorkers spares =
      new SpareWorkers(2, started::add, spare -> null, said::incrementAndGet);

  @Test
  void enter_beyondTheLastSpare_saysSoOnceUntilItIsOver() {
    spares.enter();
    spares.enter();
    assertThat(said).hasValue(0);
    spares.enter();
    spares.enter();
    assertThat(said).hasValue(1);
    assertThat(started).containsExactly(0, 1);
    spares.exit();
    spares.exit();
    assertThat(spares.isOnDuty(1)).isTrue();
    spares.enter();
    assertThat(said).hasValue(2);
  }
}
