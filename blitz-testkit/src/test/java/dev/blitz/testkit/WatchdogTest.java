package dev.blitz.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;

@Strict
class WatchdogTest {

  private record Outcome(List<Throwable> failures, String printed) {}

  private static Outcome run(Class<?> fixture) {
    var captured = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(captured, true, UTF_8));
    try {
      return new Outcome(Fixtures.failures(Fixtures.run(fixture)), captured.toString(UTF_8));
    } finally {
      System.setErr(err);
    }
  }

  private static String stackOf(Throwable failure) {
    var text = new ByteArrayOutputStream();
    failure.printStackTrace(new PrintStream(text, true, UTF_8));
    return text.toString(UTF_8);
  }

  @Strict
  @TestMethodOrder(MethodOrderer.MethodName.class)
  static class HangingFixture {
    static final AtomicBoolean INTERRUPTED_AFTERWARDS = new AtomicBoolean();

    @Test
    @TimeLimit(value = 100, unit = TimeUnit.MILLISECONDS)
    void a_hangs() throws Exception {
      var never = new CountDownLatch(1);
      Thread helper = Thread.ofVirtual().name("stuck-virtual-thread").start(() -> park(never));
      try {
        never.await();
      } finally {
        never.countDown();
        helper.join();
      }
    }

    private static void park(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Test
    void b_followsUndisturbed() {
      INTERRUPTED_AFTERWARDS.set(Thread.currentThread().isInterrupted());
    }
  }

  @Test
  void hang_failsWithDumpOfAllThreads_andTheSuiteGoesOn() {
    HangingFixture.INTERRUPTED_AFTERWARDS.set(true);

    Outcome outcome = run(HangingFixture.class);

    assertThat(outcome.failures()).singleElement().isInstanceOf(Alarm.HangError.class);
    Throwable failure = outcome.failures().getFirst();
    assertThat(failure.getMessage())
        .startsWith(HangingFixture.class.getName() + ".a_hangs exceeded");
    assertThat(failure.getSuppressed()).hasAtLeastOneElementOfType(InterruptedException.class);
    assertThat(stackOf(failure)).contains("the test's thread was here", "CountDownLatch.await");
    assertThat(outcome.printed())
        .contains("a_hangs exceeded", "stuck-virtual-thread", "HangingFixture.a_hangs(");
    assertThat(HangingFixture.INTERRUPTED_AFTERWARDS).isFalse();
  }

  @TimeLimit(value = 50, unit = TimeUnit.MILLISECONDS)
  static class SwallowingFixture {
    @Test
    void swallowsTheInterrupt() {
      while (!Thread.interrupted()) {
        LockSupport.park();
      }
    }
  }

  @Test
  void hang_failsEvenIfTheTestSwallowsTheInterrupt() {
    assertThat(run(SwallowingFixture.class).failures())
        .singleElement()
        .isInstanceOf(Alarm.HangError.class);
  }

  @TimeLimit(value = 50, unit = TimeUnit.MILLISECONDS)
  static class SetUpFixture {
    @BeforeEach
    void hangs() throws InterruptedException {
      new CountDownLatch(1).await();
    }

    @Test
    void isNotReached() {}
  }

  @Test
  void hangInSetUp_fails() {
    assertThat(run(SetUpFixture.class).failures())
        .singleElement()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("SetUpFixture.hangs exceeded");
  }

  @TimeLimit
  static class FailingFixture {
    @Test
    void fails() {
      throw new IllegalStateException("its own trouble");
    }

    @Test
    void passes() {}
  }

  @Test
  void withinTheLimit_resultsAreTheTestsOwn() {
    Outcome outcome = run(FailingFixture.class);

    assertThat(outcome.failures()).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(outcome.printed()).isEmpty();
  }

  @TimeLimit(1)
  static class DeafFixture {
    @Test
    void ignoresEverything() {
      for (boolean deaf = true; deaf; ) {
        LockSupport.park();
        deaf = Thread.interrupted() || deaf;
      }
    }
  }

  /** Runs the test that cannot be stopped, in a JVM that may be lost. */
  static final class DeafMain {
    private DeafMain() {}

    public static void main(String[] args) {
      EngineTestKit.engine("junit-jupiter").selectors(selectClass(DeafFixture.class)).execute();
    }
  }

  @Test
  void deafTest_haltsTheJvm(@TempDir Path folder) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + Timeouts.SCALE_PROPERTY + "=0.1",
                "-cp",
                System.getProperty("java.class.path"),
                DeafMain.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(jvm.waitFor(Timeouts.LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } finally {
      jvm.destroyForcibly().waitFor();
    }
    assertThat(jvm.exitValue()).isEqualTo(Watchdog.HALT_STATUS);
    assertThat(Files.readString(output))
        .contains("ignoresEverything exceeded 100 ms", "halting the JVM");
  }
}
