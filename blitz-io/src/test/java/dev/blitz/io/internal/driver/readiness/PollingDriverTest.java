package dev.blitz.io.internal.driver.readiness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class PollingDriverTest {

  private static final class OneEvent implements EventSource.Events {
    int count;

    @Override
    public int count() {
      return count;
    }

    @Override
    public long key(int index) {
      return -1; // nobody's
    }

    @Override
    public int bits(int index) {
      return EventBits.READABLE;
    }

    @Override
    public void clear() {
      count = 0;
    }
  }

  /** Finds something, and then fails; after that it finds nothing. */
  private static final class Failing implements Poller {
    boolean fails = true;

    @Override
    public EventSource.Events newEvents() {
      return new OneEvent();
    }

    @Override
    public void await(EventSource.Events into, long nanos) {
      into.clear();
      if (fails) {
        fails = false;
        ((OneEvent) into).count = 1;
        throw new InternalError("as a test wants it");
      }
    }

    @Override
    public void look(EventSource.Events into) {
      into.clear();
    }

    @Override
    public void arm(int fd, int interest, long key) {}

    @Override
    public boolean staysArmed() {
      return true;
    }

    @Override
    public void wake() {}

    @Override
    public void close() {}
  }

  private static final class NoScheduler implements DriverHost {
    @Override
    public int currentWorker() {
      return 0;
    }

    @Override
    public void callWorker() {}
  }

  @Test
  void whatAWaitHasFound_isDelivered_thoughTheWaitHasFailed() throws Exception {
    try (var driver =
        new ReadinessDriver(
            new Seats(1, TimeSource.system()),
            Backend.available("failing", "for a test"),
            Failing::new)) {
      driver.start(new NoScheduler());
      driver.attach(0);
      driver.open();
      assertThatThrownBy(() -> driver.park(0, 0)).isInstanceOf(InternalError.class);
      assertThat(driver.park(0, 0)).as("it waits for nothing else").isTrue();
      assertThat(driver.deliver(0)).isEqualTo(1);
      assertThat(driver.park(0, 0)).isFalse();
    }
  }
}
