package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

@Strict
class SpareWorkersTest {
  private final List<Integer> started = new ArrayList<>();
  private final AtomicInteger said = new AtomicInteger();
  private final AtomicLong now = new AtomicLong();
  private final SpareWorkers spares =
      new SpareWorkers(2, started::add, spare -> null, said::incrementAndGet, now::get);

  @Test
  void enter_beyondTheLastSpare_saysSoNowAndThen() {
    assertThat(spares.enter()).isEqualTo(0);
    assertThat(spares.enter()).isEqualTo(1);
    assertThat(said).hasValue(0);
    assertThat(spares.enter()).isEqualTo(SpareWorkers.NONE);
    assertThat(said).hasValue(1);
    assertThat(started).containsExactly(0, 1);
    for (int i = 0; i < 1_000; i++) {
      spares.exit(SpareWorkers.NONE);
      assertThat(spares.enter()).isEqualTo(SpareWorkers.NONE);
    }
    assertThat(said).as("it runs out a thousand times").hasValue(1);
    now.addAndGet(Tuning.SAY_AGAIN_NANOS);
    assertThat(spares.enter()).isEqualTo(SpareWorkers.NONE);
    assertThat(said).hasValue(2);
    assertThat(spares.isOnDuty(1)).isTrue();
  }

  @Test
  void enter_whereNoThreadIsToBeHad_goesOnWithoutASpare() {
    var threads = new AtomicInteger();
    var poor =
        new SpareWorkers(
            2,
            spare -> {
              if (threads.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              started.add(spare);
            },
            spare -> null,
            said::incrementAndGet,
            now::get);
    assertThat(poor.enter()).isEqualTo(SpareWorkers.NONE);
    assertThat(said).hasValue(1);
    assertThat(poor.blocked()).isEqualTo(1);
    threads.set(2);
    assertThat(poor.enter()).as("there are some again").isEqualTo(0);
    assertThat(started).containsExactly(0);
    poor.exit(SpareWorkers.NONE);
    poor.exit(0);
    assertThat(poor.isOnDuty(0)).isFalse();
    assertThat(poor.blocked()).isZero();
  }

  @Test
  void enter_whileASpareIsStuck_takesAnother() {
    spares.exit(spares.enter());
    assertThat(spares.isNewlyStuck(0)).isTrue();
    assertThat(spares.isNewlyStuck(0)).as("further in").isFalse();
    assertThat(spares.enter()).as("for the stuck one itself").isEqualTo(1);
    spares.exit(1);
    spares.unstick(0);
    assertThat(spares.enter()).isEqualTo(0);
    assertThat(spares.isOnDuty(0)).isTrue();
    assertThat(spares.isOnDuty(1)).isFalse();
  }
}
