package dev.blitz.io.direct;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a close does to direct tasks, and what it leaves alone. */
@Strict
class DirectCloseTest {

  @Test
  void close_interruptsAndWaits() throws Exception {
    var runtime = BlitzRuntime.builder().workers(2).build();
    var begun = new CountDownLatch(3);
    List<String> ends = java.util.Collections.synchronizedList(new ArrayList<>());
    var sleeping =
        runtime.spawn(() -> {
          begun.countDown();
          try {
            Thread.sleep(Duration.ofHours(1));
          } catch (InterruptedException e) {
            Task.shielded(() -> Task.sleep(Duration.ofMillis(20)).await());
            ends.add("sleep");
            throw e;
          }
        });
    var awaiting =
        runtime.spawn(() -> {
          begun.countDown();
          try {
            Task.sleep(Duration.ofHours(1)).await();
          } finally {
            ends.add("await");
          }
        });
    var computing =
        runtime.spawn(() -> {
          begun.countDown();
          while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
          }
          ends.add("loop");
        });
    begun.await();
    assertThat(runtime.close(Duration.ofSeconds(20)).clean()).isTrue();
    assertThat(ends).containsExactlyInAnyOrder("sleep", "await", "loop");
    assertThatThrownBy(sleeping::await).isInstanceOf(CancelledException.class);
    assertThatThrownBy(awaiting::await).isInstanceOf(CancelledException.class);
    assertThat(computing.isDone()).isTrue();
  }

  @Test
  void tasksThatIgnoreInterrupts_areReported_andEndLater() throws Exception {
    int n = 1_000;
    var runtime = BlitzRuntime.builder().workers(2).build();
    var begun = new CountDownLatch(n);
    var release = new CountDownLatch(1);
    var ended = new AtomicInteger();
    List<JoinHandle<?>> tasks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      tasks.add(
          runtime.spawn(
              named("stubborn"),
              () -> {
                begun.countDown();
                boolean waiting = true;
                while (waiting) {
                  try {
                    release.await();
                    waiting = false;
                  } catch (InterruptedException e) {
                    // ignores it
                  }
                }
                ended.incrementAndGet();
              }));
    }
    begun.await();
    CloseReport report = runtime.close(Duration.ofMillis(100));
    assertThat(report.clean()).isFalse();
    assertThat(report.tasks()).hasSize(n).allMatch(line -> line.contains("stubborn"));
    for (JoinHandle<?> t : tasks) {
      assertThatThrownBy(t::await).isInstanceOf(CancelledException.class);
    }
    assertThat(ended).hasValue(0);
    release.countDown();
    Await.until(() -> ended.get() == n, "the leftovers to end");
    assertThat(runtime.stats().live()).isZero();
  }

  @Test
  void anOrphanInAShield_canStillAwait() throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    var begun = new CountDownLatch(1);
    var stage = new java.util.concurrent.CompletableFuture<String>();
    var seen = new java.util.concurrent.CompletableFuture<String>();
    runtime
        .spawn(() -> {
          Task.shielded(() -> {
            begun.countDown();
            seen.complete(dev.blitz.io.future.Futures.from(stage).await());
          });
        })
        .detach();
    begun.await();
    assertThat(runtime.close(Duration.ofMillis(50)).clean()).isFalse();
    stage.complete("after the close");
    assertThat(seen.get()).isEqualTo("after the close");
  }

  /**
   * The wake is in a queue when the close gives the task up: it must reach the thread all the same.
   */
  @Test
  void aWakeThatIsQueuedAtTheEnd_reachesTheOrphan() throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    var begun = new CountDownLatch(1);
    var stage = new java.util.concurrent.CompletableFuture<String>();
    var seen = new java.util.concurrent.CompletableFuture<String>();
    var waiting =
        runtime.spawn(() -> {
          Task.shielded(() -> {
            begun.countDown();
            seen.complete(dev.blitz.io.future.Futures.from(stage).await());
          });
        });
    begun.await();
    Await.until(
        () -> runtime.dump().stream().anyMatch(line -> line.contains("idle")), "the task to wait");
    var hogging = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    runtime
        .spawn(
            dev.blitz.io.future.Futures.lazy(() -> {
              hogging.countDown();
              release.await();
              return 1;
            }))
        .detach();
    hogging.await();
    stage.complete("queued");
    assertThat(runtime.close(Duration.ofMillis(50)).clean()).isFalse();
    assertThat(waiting.isDone()).isTrue();
    assertThat(seen.get()).isEqualTo("queued");
    release.countDown();
  }

  /** The same for a wake that came from the JDK: what is queued is the thread itself. */
  @Test
  void anUnparkThatIsQueuedAtTheEnd_reachesTheOrphan() throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    var go = new CountDownLatch(1);
    var seen = new java.util.concurrent.CompletableFuture<String>();
    var waiting =
        runtime.spawn(() -> {
          boolean left = true;
          while (left) {
            try {
              go.await();
              left = false;
            } catch (InterruptedException e) {
              // ignores it
            }
          }
          seen.complete("queued");
        });
    Await.until(
        () -> runtime.dump().stream().anyMatch(line -> line.contains("WAITING")),
        "the task to wait");
    var hogging = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    runtime
        .spawn(
            dev.blitz.io.future.Futures.lazy(() -> {
              hogging.countDown();
              release.await();
              return 1;
            }))
        .detach();
    hogging.await();
    go.countDown();
    assertThat(runtime.close(Duration.ofMillis(50)).clean()).isFalse();
    assertThat(waiting.isDone()).isTrue();
    assertThat(seen.get()).isEqualTo("queued");
    release.countDown();
  }

  @Test
  void aLoopThatNeverEnds_isReportedWithItsStack() throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    var begun = new CountDownLatch(1);
    var stop = new java.util.concurrent.atomic.AtomicBoolean();
    runtime
        .spawn(
            named("looper"),
            () -> {
              begun.countDown();
              while (!stop.get()) {
                Thread.onSpinWait();
              }
            })
        .detach();
    begun.await();
    CloseReport report = runtime.close(Duration.ofMillis(50));
    assertThat(report.clean()).isFalse();
    stop.set(true);
    Await.until(() -> runtime.stats().live() == 0, "the loop to end");
  }

  @Test
  void afterClose_plainVirtualThreads_stillSleepAndReadSockets() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(2).build()) {
      runtime.run(() -> readOneByte());
      runtime.run(() -> Thread.sleep(1));
    }
    var results = new AtomicInteger();
    Thread plain =
        Thread.ofVirtual()
            .start(() -> {
              try {
                Thread.sleep(1);
                results.addAndGet(readOneByte());
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    plain.join();
    assertThat(results).hasValue(42);
  }

  static int readOneByte() throws Exception {
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var listener = ServerSocketChannel.open().bind(loopback);
        var client = SocketChannel.open(listener.getLocalAddress());
        var server = listener.accept()) {
      var buffer = ByteBuffer.allocate(1);
      Thread reader =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  client.read(buffer);
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      Await.untilWaiting(reader);
      server.write(ByteBuffer.wrap(new byte[] {42}));
      reader.join();
      return buffer.get(0);
    }
  }

  /** More than there are threads for leftovers, and each keeps its thread until all are there. */
  @Test
  void orphansThatBlockTheirThreads_mayWaitForEachOther() throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    assumeTrue(runtime.carriers().own(), "the JDK's carriers are not ours to add to");
    int n = 4 * Math.max(4, Runtime.getRuntime().availableProcessors());
    var begun = new CountDownLatch(n);
    var go = new java.util.concurrent.CompletableFuture<Integer>();
    var all = new CountDownLatch(n);
    var ended = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      runtime
          .spawn(() ->
              Task.shielded(() -> {
                begun.countDown();
                dev.blitz.io.future.Futures.from(go).await();
                CarrierAccess.pin(); // as a native frame does
                try {
                  all.countDown();
                  all.await();
                } finally {
                  CarrierAccess.unpin();
                }
                ended.countDown();
              }))
          .detach();
    }
    begun.await();
    assertThat(runtime.close(Duration.ofMillis(50)).clean()).isFalse();
    go.complete(1);
    assertThat(ended.await(Timeouts.MEDIUM.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS))
        .isTrue();
  }
}
