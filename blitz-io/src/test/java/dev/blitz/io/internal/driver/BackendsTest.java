package dev.blitz.io.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.time.TimeSource;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class BackendsTest {

  @Test
  void aBackendThatDoesNotExist_isRefusedWithTheNamesThatDo() {
    assertThatThrownBy(() -> BlitzRuntime.builder().backend("abacus").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("abacus")
        .hasMessageContaining("epoll");
  }

  @Test
  void withoutAName_theBestThatIsAvailableIsTaken() {
    var best = Backends.probeAll().stream().filter(p -> p.available()).findFirst();
    Backends.Choice choice = Backends.choose(null, 1, TimeSource.system());
    try (Driver driver = choice.driver()) {
      assertThat(choice.probe().name()).isEqualTo(driver.name());
      best.ifPresent(probe -> assertThat(choice.probe()).isEqualTo(probe));
    }
  }

  @Test
  void aDriverWithoutSockets_saysWhy() {
    try (var driver = new ParkDriver(1, TimeSource.system(), "the reason")) {
      assertThatThrownBy(driver::sockets)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("the reason");
    }
  }
}
