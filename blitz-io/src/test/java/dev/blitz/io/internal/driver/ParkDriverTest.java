package dev.blitz.io.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class ParkDriverTest {
  private static final long NEVER = Long.MAX_VALUE;

  private static Thread parking(ParkDriver driver, int worker, long deadline) {
    return Thread.ofPlatform()
        .start(() -> {
          driver.attach(worker);
          driver.park(worker, deadline);
        });
  }

  @Test
  void unparkBeforePark_endsTheNextParkOnly() throws Exception {
    try (var driver = new ParkDriver(1, TimeSource.system(), Backends::best)) {
      driver.attach(0);
      driver.unpark(0);
      driver.unpark(0);
      driver.park(0, NEVER); // returns: the test would hang otherwise
      var thread = parking(driver, 0, NEVER);
      Await.untilWaiting(thread);
      driver.unpark(0);
      thread.join();
    }
  }

  @Test
  void unpark_reachesItsWorkerOnly() throws Exception {
    try (var driver = new ParkDriver(2, TimeSource.system(), Backends::best)) {
      var first = parking(driver, 0, NEVER);
      var second = parking(driver, 1, NEVER);
      Await.untilWaiting(first);
      Await.untilWaiting(second);
      driver.unpark(1);
      second.join();
      assertThat(first.isAlive()).isTrue();
      Await.untilWaiting(first);
      driver.unpark(0);
      first.join();
    }
  }

  @Test
  void deadline_endsThePark_neverEarly() {
    try (var driver = new ParkDriver(1, TimeSource.system(), Backends::best)) {
      driver.attach(0);
      long deadline = System.nanoTime() + Duration.ofMillis(20).toNanos();
      driver.park(0, deadline);
      assertThat(System.nanoTime() - deadline).isNotNegative();
      driver.park(0, System.nanoTime() - 1); // past: returns at once
    }
  }

  @Test
  void aClockMovedByHand_sleepsUntilItIsWoken() throws Exception {
    var clock = new ManualTimeSource(false, 0);
    try (var driver = new ParkDriver(1, clock, Backends::best)) {
      var thread = parking(driver, 0, 1_000);
      Await.untilWaiting(thread);
      clock.advance(Duration.ofNanos(1_000));
      driver.unpark(0);
      thread.join();
      driver.attach(0);
      driver.park(0, 1_000); // due by that clock: returns at once
    }
  }

  @Test
  void interrupt_endsThePark_andIsCleared() throws Exception {
    try (var driver = new ParkDriver(1, TimeSource.system(), Backends::best)) {
      var flag = new AtomicInteger(-1);
      var thread =
          Thread.ofPlatform()
              .start(() -> {
                driver.attach(0);
                driver.park(0, NEVER);
                flag.set(Thread.currentThread().isInterrupted() ? 1 : 0);
                driver.park(0, NEVER); // sleeps again
              });
      Await.untilWaiting(thread);
      thread.interrupt();
      Await.until(() -> flag.get() == 0, "the park's end, with the flag cleared");
      Await.untilWaiting(thread);
      driver.unpark(0);
      thread.join();
    }
  }

  @Test
  void aPermitThatCodeUsedUp_doesNotLoseTheNotification() {
    try (var driver = new ParkDriver(1, TimeSource.system(), Backends::best)) {
      driver.attach(0);
      driver.unpark(0);
      LockSupport.unpark(Thread.currentThread());
      LockSupport.park(this); // what code in a poll may do
      driver.park(0, NEVER); // returns: the word carries the notification
    }
  }

  @Test
  void strayUnparksOfTheThread_doNotEndThePark() throws Exception {
    try (var driver = new ParkDriver(1, TimeSource.system(), Backends::best)) {
      var thread = parking(driver, 0, NEVER);
      for (int i = 0; i < 100; i++) {
        Await.untilWaiting(thread);
        LockSupport.unpark(thread);
      }
      Await.untilWaiting(thread);
      driver.unpark(0);
      thread.join();
    }
  }

  @Test
  void pingPong_losesNoWakeUp() throws Exception {
    int rounds = 20_000;
    try (var driver = new ParkDriver(2, TimeSource.system(), Backends::best)) {
      var turn = new AtomicInteger();
      Race.run(
          2,
          me -> {
            driver.attach(me);
            for (int i = 0; i < rounds; i++) {
              while (turn.get() % 2 != me) {
                driver.park(me, NEVER);
              }
              turn.incrementAndGet();
              driver.unpark(1 - me);
            }
          });
      assertThat(turn).hasValue(2 * rounds);
    }
  }

  /** A backend that only notes how it ends. */
  private static final class NotingDriver implements Driver {
    final List<String> calls = new ArrayList<>();

    @Override
    public String name() {
      return "noting";
    }

    @Override
    public BackendProbe backend() {
      return Backend.available("noting", "");
    }

    @Override
    public void attach(int worker) {}

    @Override
    public boolean park(int worker, long deadlineNanos) {
      return false;
    }

    @Override
    public void unpark(int worker) {}

    @Override
    public Endpoints endpoints() {
      throw new UnsupportedOperationException("none");
    }

    @Override
    public void closeSockets() {
      calls.add("closeSockets");
    }

    @Override
    public void close() {
      calls.add("close");
    }
  }

  /** Asks for a backend; while it is looked for, {@code meanwhile} happens. */
  private static NotingDriver chosenDuring(Consumer<ParkDriver> meanwhile) {
    var noting = new NotingDriver();
    var backend =
        new Backend() {
          @Override
          public String name() {
            return "noting";
          }

          @Override
          public BackendProbe probe() {
            return noting.backend();
          }

          @Override
          public Driver create(Seats seats, BackendProbe probe) {
            return noting;
          }
        };
    var driver = new AtomicReference<ParkDriver>();
    driver.set(
        new ParkDriver(
            1,
            TimeSource.system(),
            refused -> {
              meanwhile.accept(driver.get());
              return new Backend.Found(backend, noting.backend());
            }));
    assertThat(driver.get().backend().name()).isEqualTo("noting");
    return noting;
  }

  /** Another thread may have opened descriptors in it before the choice sees the close. */
  @Test
  void aBackendThatIsChosenDuringTheClose_isClosed() {
    assertThat(chosenDuring(ParkDriver::close).calls).containsExactly("close");
  }

  @Test
  void aBackendThatIsChosenAfterTheSocketsClosed_hasItsSocketsClosed() {
    assertThat(chosenDuring(ParkDriver::closeSockets).calls).containsExactly("closeSockets");
    assertThat(
            chosenDuring(
                    d -> {
                      d.close();
                      d.closeSockets();
                    })
                .calls)
        .containsExactly("close");
  }
}
