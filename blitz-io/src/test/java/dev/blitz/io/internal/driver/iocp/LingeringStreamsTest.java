package dev.blitz.io.internal.driver.iocp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.nio.NioBackend;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class LingeringStreamsTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private IocpDriver driver;

  @BeforeEach
  void open() {
    var nio = new NioBackend();
    var probe = new IocpBackend(nio).probe();
    driver =
        new IocpDriver(nio.create(new Seats(1, TimeSource.system()), probe), probe, LONG, LONG);
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void withoutAThread_itIsKept_andTheNextOneStartsIt() {
    var none = new AtomicBoolean(true);
    var lingering =
        new LingeringStreams(
            Machine.startingBy(thread -> {
              if (none.get()) {
                throw new InternalError("unable to create native thread");
              }
              thread.start();
            }),
            0);
    var first = new ScriptedChannel();
    lingering.add(new IocpStream(driver, first));
    assertThat(lingering.size()).isEqualTo(1);
    none.set(false);
    lingering.add(new IocpStream(driver, new ScriptedChannel()));
    Await.until(() -> lingering.size() == 0, "both to be given up");
    lingering.end(0);
    assertThat(first.isOpen()).isFalse();
  }

  @Test
  void aWatcherThatHasFailed_isFollowedByAnother() throws Exception {
    var time = new AtomicBoolean(true);
    var lingering =
        new LingeringStreams(
            new Machine(
                () -> {
                  if (Thread.currentThread().getName().startsWith("blitz-iocp") && time.get()) {
                    time.set(false);
                    Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {});
                    throw new InternalError("as a test wants it");
                  }
                  return System.nanoTime();
                },
                Thread::start),
            0);
    lingering.add(new IocpStream(driver, new ScriptedChannel()));
    Await.until(() -> !time.get() && isWatcherless(), "its end");
    assertThat(lingering.size()).isEqualTo(1);
    lingering.add(new IocpStream(driver, new ScriptedChannel()));
    Await.until(() -> lingering.size() == 0, "both to be given up");
    lingering.end(0);
  }

  private static boolean isWatcherless() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().equals("blitz-iocp-closer"));
  }

  @Test
  void anInterrupt_isStillThere_whenTheyHaveEnded() {
    var lingering = new LingeringStreams(Machine.REAL, LONG);
    lingering.add(new IocpStream(driver, new ScriptedChannel()));
    Thread.currentThread().interrupt();
    lingering.end(1_000_000);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(lingering.size()).isZero();
  }
}
