package dev.blitz.io.internal.driver.epoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.SeccompFilter;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
@OnceIsEnough
class EpollBackendTest {
  private static final int EPERM = 1;
  private static final int ENOSYS = 38;

  /** The same on all architectures, as all calls that are this young. */
  private static final long SYS_EPOLL_PWAIT2 = 441;

  @BeforeEach
  void requireEpoll() {
    BackendProbe probe = new EpollBackend().probe();
    assumeTrue(probe.available(), probe::toString);
  }

  /**
   * A C library that knows waits to the nanosecond, on a kernel or in a container that does not.
   */
  @ParameterizedTest
  @ValueSource(ints = {EPERM, ENOSYS})
  void withoutFineWaits_itWaitsInMilliseconds_andNeverTooShort(int errno) throws Exception {
    assumeTrue(EpollCalls.isFine());
    var outcome = new CompletableFuture<String>();
    Thread.ofPlatform()
        .start(() -> {
          try {
            outcome.complete(filteredWait(errno)); // the filter stays with this thread
          } catch (Throwable t) {
            outcome.completeExceptionally(t);
          }
        })
        .join();
    assertThat(outcome.get()).isEqualTo("waited");
    assertThat(new EpollBackend().probe().detail()).contains("nanosecond");
  }

  private static String filteredWait(int errno) throws Throwable {
    assumeTrue(SeccompFilter.forbid(SYS_EPOLL_PWAIT2, errno), "the kernel takes no filter");
    assertThat(new EpollBackend().probe().detail()).contains("millisecond");
    EpollPoller instance = EpollPoller.open();
    try {
      var batch = new EpollEvents();
      for (int i = 0; i < 2; i++) {
        long begin = System.nanoTime();
        instance.await(batch, TimeUnit.MICROSECONDS.toNanos(1500));
        assertThat(System.nanoTime() - begin).isGreaterThan(1_500_000);
        assertThat(batch.count()).isZero();
      }
      return "waited";
    } finally {
      instance.close();
    }
  }

  @Test
  void aWake_endsOneWait_andIsResetByTheWaiter() throws Exception {
    EpollPoller instance = EpollPoller.open();
    try {
      var batch = new EpollEvents();
      instance.wake();
      instance.wake();
      instance.look(batch);
      assertThat(batch.takeWake()).as("who looks leaves it").isTrue();
      instance.await(batch, -1);
      assertThat(batch.count()).isZero();
      instance.look(batch);
      assertThat(batch.takeWake()).isFalse();
    } finally {
      instance.close();
    }
  }

  /** Nobody gets hold of numbers that may be somebody else's by now. */
  @Test
  void aClosedInstance_doesNothing() throws Exception {
    EpollPoller instance = EpollPoller.open();
    instance.close();
    var batch = new EpollEvents();
    instance.wake();
    instance.await(batch, -1);
    assertThat(batch.count()).isZero();
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> instance.arm(0, 1, 1)))
        .isInstanceOf(java.nio.channels.ClosedChannelException.class);
  }
}
