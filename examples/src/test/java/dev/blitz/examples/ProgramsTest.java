package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.io.time.Debounce;
import dev.blitz.io.time.RateLimiter;
import dev.blitz.io.time.RuntimeClock;
import dev.blitz.test.BlitzTest;
import dev.blitz.test.TestRuntime;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Programs that must read well, as far as they are not examples of their own. */
@Strict
class ProgramsTest {

  private static byte[] sha256(byte[] file) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(file);
  }

  @Test
  void blockingAndCpuWork_fromADirectTask() throws Exception {
    byte[] file = {1, 2, 3};
    long[] data = {1, 2, 3, 4};
    Blitz.run(() -> {
      byte[] hash = Task.spawnBlocking(() -> sha256(file)).await();
      assertThat(HexFormat.of().formatHex(hash)).startsWith("039058c6");
      long sum = Task.spawnBlocking(() -> sumOf(data)).await();
      assertThat(sum).isEqualTo(10);
      byte[] inPlace = Task.blockInPlace(() -> sha256(file));
      assertThat(inPlace).isEqualTo(hash);
    });
  }

  @Test
  void filesLinesBytes(@org.junit.jupiter.api.io.TempDir java.nio.file.Path dir) throws Exception {
    var a = java.nio.file.Files.writeString(dir.resolve("a"), "one\nERROR two\nthree\n");
    var b = dir.resolve("b");
    Blitz.run(() -> {
      long errors = 0;
      try (var lines = AsyncFile.lines(a)) { // never more than a buffer in memory
        for (var line : lines) {
          if (line.contains("ERROR")) {
            errors++;
          }
        }
      }
      assertThat(errors).isEqualTo(1);
      try (var in = AsyncFile.open(a).await();
          var out = AsyncFile.create(b).await()) {
        var buffer = java.nio.ByteBuffer.allocate(8);
        while (in.read(buffer.clear()).await() >= 0) {
          out.writeAll(buffer.flip()).await();
        }
      }
      byte[] copied = AsyncFile.readAll(b).await();
      assertThat(copied).isEqualTo(AsyncFile.readAll(a).await());
    });
  }

  private static long sumOf(long[] data) {
    long sum = 0;
    for (long d : data) {
      sum += d;
    }
    return sum;
  }

  @BlitzTest
  void retriesWithBackoff(TestRuntime rt) {
    var calls = new AtomicInteger();
    ThrowingSupplier<String> flaky =
        () -> {
          if (calls.incrementAndGet() < 3) {
            throw new IOException("busy");
          }
          return "ok";
        };
    var attempt =
        rt.spawn(() -> Task.retry(Backoff.fixed(Duration.ofMinutes(1)).limit(3), flaky::get));
    rt.advance(Duration.ofMinutes(2));
    assertThat(attempt.await()).isEqualTo("ok");
  }

  @BlitzTest
  void cron_runsAtItsTimes(TestRuntime rt) {
    List<Instant> runs = new ArrayList<>();
    RuntimeClock clock = rt.runtime().clock();
    Instant start = clock.now();
    var job = rt.spawn(() -> Task.every(Duration.ofHours(6), () -> runs.add(clock.now())));
    rt.advance(Duration.ofDays(1));
    job.cancel();
    assertThat(runs)
        .extracting(run -> Duration.between(start, run).toHours())
        .containsExactly(6L, 12L, 18L, 24L);
  }

  @BlitzTest
  void rateLimit_letsTenASecondThrough(TestRuntime rt) throws Exception {
    RuntimeClock clock = rt.runtime().clock();
    Instant start = clock.now();
    rt.run(() -> {
      var limiter = RateLimiter.create(10, Duration.ofSeconds(1), 1);
      TaskScope.map(Collections.nCopies(101, "call"), 8, call -> limiter.acquire().await());
    });
    assertThat(Duration.between(start, clock.now()))
        .isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_200));
  }

  @BlitzTest
  void debounce_reloadsOnce(TestRuntime rt) throws Exception {
    var reloads = new AtomicInteger();
    rt.run(() -> {
      var changes = Debounce.after(Duration.ofMillis(200));
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> {
          while (true) {
            changes.quiet().await();
            reloads.incrementAndGet();
          }
        });
        for (int i = 0; i < 50; i++) {
          changes.event();
          Task.sleep(Duration.ofMillis(50)).await();
        }
        Task.sleep(Duration.ofSeconds(1)).await();
        scope.cancel();
      }
    });
    assertThat(reloads).hasValue(1);
  }

  @Test
  void completableFutures_bothWays() throws Exception {
    Blitz.run(() -> {
      int length = Futures.from(CompletableFuture.supplyAsync(() -> "blitz")).await().length();
      CompletableFuture<Integer> back = Task.spawn(() -> length * 2).toCompletableFuture();
      assertThat(Futures.from(back).await()).isEqualTo(10);
    });
  }
}
