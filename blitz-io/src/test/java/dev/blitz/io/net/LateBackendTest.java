package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A runtime that was given no backend finds one with its first socket, when its workers run or
 * sleep already; from then on a worker that waits for events is woken there.
 */
@Strict
class LateBackendTest {
  private static final int ROUNDS = 200;

  @BeforeEach
  void needsABackend() {
    assumeTrue(Blitz.backends().stream().anyMatch(BackendProbe::available));
  }

  private static TcpListener bind(BlitzRuntime rt) throws Exception {
    return rt.run(Futures.lazy(() -> TcpListener.bind(SocketWorld.loopback(0))));
  }

  private static void echoOne(BlitzRuntime rt, TcpListener listener) throws Exception {
    try (TcpStream client =
            rt.run(Futures.lazy(() -> TcpStream.connect(listener.localAddress()))).await();
        TcpStream server = listener.accept().await()) {
      client.writeAll(ByteBuffer.wrap(new byte[] {1, 2, 3})).await();
      var got = ByteBuffer.allocate(3);
      server.readFully(got).await();
      assertThat(got.array()).containsExactly(1, 2, 3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void firstSocket_whileWorkersSleep_thenSpawnsWakeThoseThatWaitForEvents(int workers)
      throws Exception {
    try (var rt = BlitzRuntime.builder().workers(workers).build()) {
      for (int i = 0; i < 100; i++) {
        rt.spawn(Task.yieldNow()).detach();
      }
      Await.until(() -> rt.stats().live() == 0 && rt.stats().parked() == workers, "all to sleep");
      try (TcpListener listener = bind(rt)) {
        assertThat(rt.backend().available()).isTrue();
        echoOne(rt, listener);
        var accepting = rt.spawn(listener.accept()); // a worker waits for this in the backend
        for (int i = 0; i < ROUNDS; i++) {
          Await.until(() -> rt.stats().parked() == workers, "all to sleep");
          int n = i;
          assertThat(rt.<Integer>run(Futures.lazy(() -> n))).isEqualTo(n);
        }
        accepting.cancel();
        Await.until(accepting::isDone, "the accept to be dropped");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void firstSocket_whileOthersSpawn_losesNoWake(int workers) throws Exception {
    for (int round = 0; round < 20; round++) {
      try (var rt = BlitzRuntime.builder().workers(workers).build()) {
        var ran = new AtomicInteger();
        Race.run(
            i -> {
              for (int n = 0; n < ROUNDS; n++) {
                rt.run(
                    Futures.lazy(() -> {
                      ran.incrementAndGet();
                      return Done.DONE;
                    }));
              }
            },
            i -> {
              try (TcpListener listener = bind(rt)) {
                echoOne(rt, listener);
              }
            });
        assertThat(ran).hasValue(ROUNDS);
      }
    }
  }
}
