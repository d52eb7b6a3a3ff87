package dev.blitz.io.internal.driver.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.ParkDriver;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
  void aBackendThatIsForcedButAbsent_isRefusedWithItsNameAndTheReason() {
    for (BackendProbe probe : Backends.probeAll()) {
      if (!probe.available()) {
        assertThatThrownBy(() -> BlitzRuntime.builder().backend(probe.name()).build())
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining(probe.name())
            .hasMessageContaining(probe.detail());
      }
    }
    assertThatThrownBy(() -> Backends.driverOf(new Absent(), 1, TimeSource.system()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("absent: not available, the reason");
  }

  private static final class Absent implements Backend {
    @Override
    public String name() {
      return "absent";
    }

    @Override
    public BackendProbe probe() {
      return Backend.refused(name(), "the reason");
    }

    @Override
    public Driver create(Seats seats, BackendProbe probe) {
      throw new AssertionError("it is not available");
    }
  }

  @Test
  void withoutAName_theBestThatIsAvailableIsTaken() {
    var best = Backends.probeAll().stream().filter(p -> p.available()).findFirst();
    try (Driver driver = Backends.driver(null, 1, TimeSource.system())) {
      assertThat(driver.name()).as("nobody has asked for sockets yet").isEqualTo("none");
      BackendProbe probe = driver.backend();
      assertThat(probe.name()).isEqualTo(driver.name());
      best.ifPresent(p -> assertThat(probe).isEqualTo(p));
    }
  }

  @Test
  void iocp_isTheFirstOnWindows_andElsewhereTheLast_forWhoeverNamesIt() {
    assertThat(Backends.order("Windows Server 2025").getFirst().name()).isEqualTo("iocp");
    for (String system : new String[] {"Linux", "Mac OS X", "FreeBSD"}) {
      assertThat(Backends.order(system).getLast().name()).isEqualTo("iocp");
    }
    assertThat(Backends.order("Linux")).hasSameSizeAs(Backends.order("Windows 11"));
  }

  @Test
  void aDriverWithoutSockets_saysWhy_andLooksAgain() {
    var looks = new AtomicInteger();
    Backend.Found refused = new Backend.Found(null, Backend.refused("none", "the reason"));
    try (var driver =
        new ParkDriver(
            1,
            TimeSource.system(),
            tried -> looks.incrementAndGet() == 1 ? refused : Backends.best(tried))) {
      assertThatThrownBy(driver::endpoints)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("the reason");
      assertThat(driver.backend()).isEqualTo(Backends.best(List.of()).probe());
      assertThat(looks).hasValue(2);
    }
  }

  @Test
  void aBackendChosenWhileAWorkerSleeps_takesOver_andItsUnparkIsNotLost() throws Exception {
    try (var driver = new ParkDriver(1, TimeSource.system(), Backends::best)) {
      driver.start(new NoScheduler());
      for (int i = 0; i < 3; i++) {
        var called = new AtomicBoolean();
        var parks = new AtomicInteger();
        var worker =
            Thread.ofPlatform()
                .start(() -> {
                  driver.attach(0);
                  while (!called.get()) {
                    parks.incrementAndGet();
                    driver.park(0, Long.MAX_VALUE);
                  }
                });
        if (i < 2) {
          Await.untilWaiting(
              worker); // afterwards it sleeps in the kernel, which the JVM calls running
        }
        if (i == 1) {
          driver.backend();
        }
        Await.until(() -> parks.get() > 0, "a park");
        called.set(true);
        driver.unpark(0); // the test would hang if that were lost
        worker.join();
      }
    }
  }

  @Test
  void aDriverThatIsClosed_makesNoSockets() {
    var driver = new ParkDriver(1, TimeSource.system(), Backends::best);
    driver.start(new NoScheduler());
    driver.close();
    if (driver.backend().available()) {
      assertThatThrownBy(() -> driver.endpoints().openStream(AddressFamily.IPV4))
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  private static final class NoScheduler implements DriverHost {
    @Override
    public int currentWorker() {
      return -1;
    }

    @Override
    public void callWorker() {}
  }
}
