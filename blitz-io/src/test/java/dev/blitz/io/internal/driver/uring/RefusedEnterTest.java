package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.SeccompFilter;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One worker is not let into its ring any more: a filter on its thread refuses the call. */
@Strict
@OnceIsEnough
class RefusedEnterTest {
  private UringDriver driver;
  private DrivenWorkers workers;
  private boolean closed;

  @BeforeEach
  void open() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
    driver = new UringDriver(new Seats(2, TimeSource.system()), probe);
    workers = new DrivenWorkers(driver, 2);
    workers.drive(0);
    workers.drive(1);
  }

  @AfterEach
  void close() {
    if (workers != null && !closed) {
      workers.close();
    }
  }

  private interface Body<T> {
    T run() throws Throwable;
  }

  /** Runs something on a worker, and waits for it. */
  private <T> T on(int worker, Body<T> body) throws Exception {
    var done = new CompletableFuture<T>();
    workers.run(
        worker,
        () -> {
          try {
            done.complete(body.run());
          } catch (Throwable t) {
            done.completeExceptionally(t);
          }
        });
    return done.get();
  }

  private void refuse(int worker, int errno) throws Exception {
    boolean refused = on(worker, () -> SeccompFilter.forbid(UringAbi.SYS_IO_URING_ENTER, errno));
    assumeTrue(refused, "the kernel takes no filter");
  }

  private ListenerEndpoint listen() throws IOException {
    ListenerEndpoint listener = driver.openListener(AddressFamily.IPV4);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    listener.listen(16);
    return listener;
  }

  /** What was armed on the ring must not take connections that nobody will ever see. */
  @Test
  void aRefusedRing_acceptsNoMore_soThatTheOthersGetTheConnections() throws Exception {
    ListenerEndpoint listener = listen();
    var failed = new AtomicInteger();
    int parks = workers.parks(0);
    StreamEndpoint none = on(0, () -> listener.pollAccept(failed::incrementAndGet));
    assertThat(none).isNull();
    Await.until(() -> workers.parks(0) > parks, "the accept to be submitted");
    refuse(0, Errno.EPERM);
    Await.until(() -> failed.get() > 0, "the accept to fail");
    try (var peer = new Socket(InetAddress.getLoopbackAddress(), port(listener))) {
      assertThat(peer.isConnected()).isTrue();
      acceptOn(1, listener).close();
    }
    listener.close();
  }

  /** Whoever watches a ring holds it, in the kernel: it must let go of one that was given up. */
  @Test
  void aRefusedRing_thatAnotherWorkerWatches_acceptsNoMore() throws Exception {
    ListenerEndpoint listener = listen();
    var failed = new AtomicInteger();
    var armed = new CompletableFuture<Integer>();
    var watched = new CountDownLatch(1);
    workers.run(
        0,
        () -> {
          try {
            assertThat(listener.pollAccept(failed::incrementAndGet)).isNull();
            driver.deliver(0); // submitted
            armed.complete(1);
            watched.await(); // away from its ring meanwhile
            SeccompFilter.forbid(UringAbi.SYS_IO_URING_ENTER, Errno.EPERM);
          } catch (Throwable t) {
            armed.completeExceptionally(t);
          }
        });
    armed.get();
    for (int visit = 0; visit < 3; visit++) { // who comes to help again and again, watches
      int parks = workers.parks(1);
      driver.needsHelp(0);
      driver.unpark(1);
      Await.until(() -> workers.parks(1) > parks, "worker 1 to come by");
    }
    int parks = workers.parks(1);
    watched.countDown();
    Await.until(() -> failed.get() > 0, "the accept to fail");
    Await.until(() -> workers.parks(1) > parks, "worker 1 to have let go of it");
    for (int i = 0; i < 3; i++) {
      try (var peer = new Socket(InetAddress.getLoopbackAddress(), port(listener))) {
        assertThat(peer.isConnected()).isTrue();
        acceptOn(1, listener).close();
      }
    }
    listener.close();
  }

  private StreamEndpoint acceptOn(int worker, ListenerEndpoint listener) {
    var accepted = new CompletableFuture<StreamEndpoint>();
    Await.until(
        () -> {
          StreamEndpoint stream;
          try {
            stream = on(worker, () -> listener.pollAccept(() -> {}));
          } catch (Exception e) {
            return false; // what the refused ring has left: told once
          }
          if (stream != null) {
            accepted.complete(stream);
          }
          return stream != null;
        },
        "the connection");
    return accepted.join();
  }

  private static int port(ListenerEndpoint listener) throws IOException {
    return ((java.net.InetSocketAddress) listener.localAddress()).getPort();
  }

  /** What it had staged is lost: closing waits for no peer to read that. */
  @Test
  void closing_doesNotWaitForTheSendsOfARefusedRing() throws Exception {
    ListenerEndpoint listener = listen();
    try (var peer = new Socket(InetAddress.getLoopbackAddress(), port(listener))) {
      StreamEndpoint stream = acceptOn(1, listener);
      var woken = new AtomicInteger();
      on(
          0,
          () -> {
            while (stream.pollWrite(ByteBuffer.allocate(16_000), woken::incrementAndGet)
                != StreamEndpoint.PENDING) {
              driver.deliver(0);
            }
            return true;
          });
      refuse(0, Errno.EPERM);
      Await.until(() -> woken.get() > 0, "the write, which the peer holds up, to fail");
      long begin = System.nanoTime();
      closed = true;
      workers.close();
      assertThat(System.nanoTime() - begin).isLessThan(UringTuning.SEND_GRACE_NANOS);
      assertThat(peer.isConnected()).isTrue();
    }
  }

  /** "Not now" for ever is no reason to use up a processor. */
  @Test
  void aRingThatIsPutOff_againAndAgain_isAskedNowAndThen() throws Exception {
    driver.openStream(AddressFamily.IPV4).close(); // makes the rings
    refuse(0, Errno.EAGAIN);
    assertIsAskedNowAndThen();
    List<StreamEndpoint> idle = new ArrayList<>();
    for (int i = 0; i <= UringTuning.SUBMISSIONS; i++) { // the last one waits for room
      var pair = driver.openStreamPair();
      idle.addAll(pair);
      on(0, () -> pair.getFirst().pollRead(ByteBuffer.allocate(1), () -> {}));
    }
    assertIsAskedNowAndThen();
    idle.forEach(StreamEndpoint::close);
  }

  private void assertIsAskedNowAndThen() {
    int before = workers.parks(0);
    long start = System.nanoTime();
    Await.until(() -> workers.parks(0) > before + 20, "some looks");
    long perLook = (System.nanoTime() - start) / (workers.parks(0) - before);
    assertThat(perLook).as("nanoseconds between two looks").isGreaterThan(200_000);
  }

  /** However many they are, and whoever finds out that the ring is refused. */
  @Test
  void whatHasCompletedBefore_isStillServed() throws Exception {
    int streams = UringTuning.FIRST_BUFFERS - 16; // more than a hurry wakes at once
    List<List<StreamEndpoint>> pairs = new ArrayList<>();
    for (int i = 0; i <= streams; i++) {
      pairs.add(driver.openStreamPair());
    }
    var buffer = ByteBuffer.allocate(8);
    on(
        0,
        () -> {
          for (var pair : pairs.subList(0, streams)) {
            assertThat(pair.getFirst().pollRead(buffer, () -> {}))
                .isEqualTo(StreamEndpoint.PENDING);
          }
          driver.deliver(0); // submitted
          for (var pair : pairs.subList(0, streams)) {
            assertThat(pair.getLast().pollWrite(ByteBuffer.wrap(new byte[] {1}), null)).isOne();
          }
          assertThat(SeccompFilter.forbid(UringAbi.SYS_IO_URING_ENTER, Errno.EPERM)).isTrue();
          // One more to be submitted, which is refused, in the middle of a poll.
          var last = pairs.getLast().getFirst();
          assertThat(last.pollRead(buffer, () -> {})).isEqualTo(StreamEndpoint.PENDING);
          driver.hurry();
          return true;
        });
    int read = 0;
    for (var pair : pairs.subList(0, streams)) {
      try {
        read += pair.getFirst().pollRead(buffer.clear(), () -> {}) == 1 ? 1 : 0;
      } catch (IOException e) {
        // counted below
      }
    }
    assertThat(read).as("streams whose byte had arrived").isEqualTo(streams);
    pairs.forEach(pair -> pair.forEach(StreamEndpoint::close));
  }
}
