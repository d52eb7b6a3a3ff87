package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.task.Task;
import dev.blitz.test.BlitzTest;
import dev.blitz.test.TestRuntime;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
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

  private static <T> T retry(int tries, Duration pause, ThrowingSupplier<T> call) throws Exception {
    for (int i = 1; ; i++) {
      try {
        return call.get();
      } catch (IOException e) {
        if (i == tries) {
          throw e;
        }
        Task.sleep(pause).await();
      }
    }
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
    var attempt = rt.spawn(() -> retry(3, Duration.ofMinutes(1), flaky));
    rt.advance(Duration.ofMinutes(2));
    assertThat(attempt.await()).isEqualTo("ok");
  }
}
