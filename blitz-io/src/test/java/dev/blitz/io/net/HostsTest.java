package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.policy.NameLookup;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Host names: who is asked, how often, and what becomes of those who wait. */
@Strict
class HostsTest {
  private static final List<InetAddress> HOME = List.of(InetAddress.ofLiteral("127.0.0.1"));

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicLong now = new AtomicLong();

  private volatile NameLookup lookup = host -> HOME;

  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(1)
          .clock(() -> System.nanoTime() + now.get())
          .nameLookup(host -> {
            asked.incrementAndGet();
            return lookup.lookUp(host);
          })
          .nameCache(Duration.ofMinutes(10), Duration.ofMinutes(1))
          .build();

  @AfterEach
  void close() {
    release.countDown();
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private List<InetAddress> resolve(String host) throws Exception {
    return rt.run(Futures.lazy(() -> 1).andThen(one -> Hosts.resolve(host)));
  }

  /** Waits until it is released, or interrupted. */
  private List<InetAddress> hang() throws IOException {
    try {
      release.await();
      return HOME;
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
      throw new InterruptedIOException();
    }
  }

  @Test
  void addressesInDigits_areNotLookedUp() throws Exception {
    assertThat(resolve("127.0.0.1")).isEqualTo(HOME);
    assertThat(resolve("::1")).containsExactly(InetAddress.ofLiteral("::1"));
    assertThat(asked).hasValue(0);
    assertThat(resolve("127.example")).isEqualTo(HOME);
    assertThat(asked).hasValue(1);
  }

  @Test
  void aThousandWhoAskAtOnce_shareOneLookUp() throws Exception {
    lookup = host -> hang();
    List<JoinHandle<List<InetAddress>>> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      String host = i % 2 == 0 ? "Db.Example" : "db.example";
      all.add(rt.spawn(Futures.lazy(() -> 1).andThen(one -> Hosts.resolve(host))));
    }
    Await.until(() -> asked.get() == 1, "the look-up");
    release.countDown();
    for (var one : all) {
      assertThat(one.await()).isEqualTo(HOME);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void addresses_areKeptForAWhile() throws Exception {
    resolve("db");
    now.addAndGet(Duration.ofMinutes(9).toNanos());
    resolve("db");
    assertThat(asked).hasValue(1);
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    resolve("db");
    assertThat(asked).hasValue(2);
  }

  @Test
  void thatThereIsNoSuchHost_isKeptForAWhile_andEachHasAnExceptionOfItsOwn() throws Exception {
    lookup = host -> List.of();
    Throwable first = catchThrowable(() -> resolve("db"));
    Throwable second = catchThrowable(() -> resolve("db"));
    assertThat(first).isInstanceOf(UnknownHostException.class).hasMessageContaining("db");
    assertThat(second).isInstanceOf(UnknownHostException.class).isNotSameAs(first);
    assertThat(asked).hasValue(1);
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    lookup = host -> HOME;
    assertThat(resolve("db")).isEqualTo(HOME);
  }

  @Test
  void aQuestionThatFailed_isAskedAgain() throws Exception {
    var failures =
        List.<NameLookup>of(
            host -> {
              throw new IOException("no route to the server");
            },
            host -> {
              throw new IllegalArgumentException("a fault");
            },
            host -> {
              throw new StackOverflowError();
            });
    for (NameLookup failing : failures) {
      lookup = failing;
      assertThatThrownBy(() -> resolve("db"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("db")
          .hasCauseInstanceOf(Throwable.class);
    }
    lookup = host -> HOME;
    assertThat(resolve("db")).isEqualTo(HOME);
    assertThat(asked).hasValue(4);
  }

  @Test
  void manyNames_keepTheNewestOnly() throws Exception {
    for (int i = 0; i < 1_030; i++) {
      resolve("host" + i);
    }
    assertThat(asked).hasValue(1_030);
    resolve("host1029");
    resolve("host6");
    assertThat(asked).hasValue(1_030);
    resolve("host5");
    assertThat(asked).hasValue(1_031);
  }

  @Test
  void theLastWhoLeaves_cancelsTheLookUp_notTheFirst() throws Exception {
    lookup = host -> hang();
    IoFuture<List<InetAddress>> first = polled("db");
    IoFuture<List<InetAddress>> second = polled("db");
    Await.until(() -> asked.get() == 1, "the look-up");
    first.drop();
    assertThat(interrupted).hasValue(0);
    second.drop();
    Await.until(() -> interrupted.get() == 1, "the interrupt");
    lookup = host -> HOME;
    assertThat(resolve("db")).isEqualTo(HOME);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aDropBeforeTheFirstPollOrAfterTheAnswer_doesNothing() throws Exception {
    Hosts.resolve("db").drop();
    assertThat(asked).hasValue(0);
    IoFuture<List<InetAddress>> answered = Hosts.resolve("db");
    rt.run(Futures.lazy(() -> 1).andThen(one -> answered));
    answered.drop();
    assertThatThrownBy(() -> answered.poll(Context.of(() -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("make a new one");
  }

  private IoFuture<List<InetAddress>> polled(String host) throws Exception {
    return rt.run(
            Futures.lazy(() -> {
              var future = Hosts.resolve(host);
              assertThat(future.poll(Context.of(() -> {}))).isNull();
              return List.of(future); // a task whose result is a future is a mistake
            }))
        .getFirst();
  }

  @Test
  void aServerThatDoesNotAnswer_holdsNobodyUpBeyondTheTimeOut() throws Exception {
    lookup = host -> hang();
    List<JoinHandle<List<InetAddress>>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) { // more than there are threads
      String host = "host" + i;
      all.add(
          rt.spawn(
              Futures.lazy(() -> 1)
                  .andThen(one -> Hosts.resolve(host).timeout(Duration.ofMillis(20)))));
    }
    for (var one : all) {
      assertThatThrownBy(one::await).hasRootCauseInstanceOf(TimedOutException.class);
    }
    lookup = host -> HOME;
    assertThat(resolve("db")).isEqualTo(HOME); // the threads are free again
  }

  @Test
  void aRuntimeThatCloses_tellsThoseWhoWaitOutside() throws Exception {
    lookup = host -> hang();
    IoFuture<List<InetAddress>> waiting = polled("db");
    Await.until(() -> asked.get() == 1, "the look-up");
    var outside = new Thread[1];
    var seen = new Throwable[1];
    outside[0] = new Thread(() -> seen[0] = catchThrowable(waiting::await));
    outside[0].start();
    rt.close(Timeouts.MEDIUM);
    outside[0].join();
    assertThat(seen[0]).isInstanceOfAny(CancelledException.class, IOException.class);
  }

  @Test
  void nonsense_isRefused() {
    assertThatThrownBy(() -> Hosts.resolve(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Hosts.resolve("db").await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("runtime");
    var builder = BlitzRuntime.builder();
    assertThatThrownBy(() -> builder.nameCache(Duration.ofSeconds(-1), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("known");
    assertThatThrownBy(() -> builder.nameLookup(null)).isInstanceOf(NullPointerException.class);
  }
}
