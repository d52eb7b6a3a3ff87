package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Users fill the blocking pool with calls that wait for what the runtime does in blocking calls.
 */
@Strict
class BlockingLanesTest {
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(1).blockingThreads(1).build();

  @BeforeEach
  void needsSockets() {
    assumeTrue(rt.backend().available(), rt.backend().toString());
  }

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private static <T> T inTime(CompletableFuture<T> end) throws Exception {
    return end.get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void theOnlyBlockingThread_mayWaitForANameToBeLookedUp() throws Exception {
    TcpListener listener = rt.run(() -> TcpListener.bind(0));
    try (listener) {
      int port = listener.localAddress().getPort();
      JoinHandle<Boolean> connecting =
          rt.spawnBlocking(() -> {
            try (TcpStream stream = TcpStream.connect("localhost", port).await()) {
              return stream.isOpen();
            }
          });
      assertThat(inTime(connecting.toCompletableFuture())).isTrue();
    }
  }

  @Test
  void allBlockingThreadsBusy_namesAreLookedUpAllTheSame() throws Exception {
    var release = new CountDownLatch(1);
    TcpListener listener = rt.run(() -> TcpListener.bind(0));
    try (listener) {
      int port = listener.localAddress().getPort();
      List<JoinHandle<?>> busy = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        busy.add(
            rt.spawnBlocking(() -> {
              release.await();
              return 1;
            }));
      }
      JoinHandle<Boolean> connecting =
          rt.spawn(() -> {
            try (TcpStream stream = TcpStream.connect("localhost", port).await()) {
              return stream.isOpen();
            }
          });
      assertThat(inTime(connecting.toCompletableFuture())).isTrue();
      release.countDown();
      for (JoinHandle<?> b : busy) {
        inTime(b.toCompletableFuture());
      }
    }
  }

  @Test
  void theOnlyBlockingThread_mayWaitForTheEndOfALingeringConnection() throws Exception {
    TcpListener listener = rt.run(() -> TcpListener.bind(0));
    try (listener) {
      var accepting = rt.spawn(listener.accept());
      TcpStream client = rt.run(() -> TcpStream.connect(listener.localAddress()).await());
      try (TcpStream server = inTime(accepting.toCompletableFuture())) {
        JoinHandle<Integer> waiting =
            rt.spawnBlocking(() -> {
              client.linger(5);
              client.close();
              return server.read(ByteBuffer.allocate(1)).await();
            });
        assertThat(inTime(waiting.toCompletableFuture())).isEqualTo(-1);
      }
    }
  }
}
