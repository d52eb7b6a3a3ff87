package dev.blitz.io.direct;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.LogCapture;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What tools see of direct tasks, and what thread-bound values do in them. */
@Strict
class DirectObservabilityTest {
  private static final ScopedValue<String> SCOPED = ScopedValue.newInstance();
  private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  @TempDir Path folder;

  @Test
  void threadDump_showsTheTasksNameAndTheUsersLines() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var release = new CountDownLatch(1);
      var task = runtime.spawn(named("order-4711"), () -> waitForRelease(release));
      awaitWaiting(runtime);
      Path dump = folder.resolve("threads.txt");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      assertThat(Files.readString(dump)).contains("order-4711", "waitForRelease");
      release.countDown();
      task.await();
    }
  }

  @Test
  void threadDump_listsTheTasksUnderTheirRuntime_alsoOneThatHasNeverWaited() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(2).name("shop").build()) {
      if (!runtime.carriers().own()) {
        return; // the JDK lists its own
      }
      var over = new AtomicBoolean();
      var release = new CountDownLatch(1);
      var waits = runtime.spawn(named("waits"), () -> waitForRelease(release));
      var computes = runtime.spawn(named("computes"), () -> computeUntil(over));
      Await.until(() -> dump().contains("waitForRelease"), "the one that waits in the dump");
      Await.until(() -> dump().contains("computeUntil"), "the one that computes in the dump");
      assertThat(dump()).contains("\"container\": \"shop", "\"waits\"", "\"computes\"");
      over.set(true);
      release.countDown();
      waits.await();
      computes.await();
      assertThat(dump()).doesNotContain("waitForRelease", "computeUntil");
    }
  }

  @Test
  void threadDump_showsATask_thatBlocksInPlaceAndHasNeverWaited() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).name("shop").build()) {
      var release = new CountDownLatch(1);
      var blocks =
          runtime.spawn(
              named("blocks"),
              () ->
                  Task.blockInPlace(() -> {
                    waitForRelease(release);
                    return 1;
                  }));
      runtime.spawn(named("another"), () -> 1).await(); // another thread drives the worker
      Await.until(() -> dump().contains("waitForRelease"), "the one that blocks in the dump");
      release.countDown();
      blocks.await();
    }
  }

  private static void computeUntil(AtomicBoolean over) {
    while (!over.get()) {
      Thread.onSpinWait();
    }
  }

  private String dump() {
    try {
      Path dump = Files.createTempDirectory(folder, "dump").resolve("threads.json");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
      return Files.readString(dump);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In the format that jcmd Thread.dump_to_file writes by default, too. */
  @ParameterizedTest
  @EnumSource(HotSpotDiagnosticMXBean.ThreadDumpFormat.class)
  void threadDump_showsTasksWithoutAName_underThatOfTheirRuntime(
      HotSpotDiagnosticMXBean.ThreadDumpFormat format) throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).name("shop").build()) {
      var release = new CountDownLatch(1);
      var task = runtime.spawn(() -> waitForRelease(release));
      awaitWaiting(runtime);
      Path dump = folder.resolve("threads." + format);
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), format);
      assertThat(Files.readString(dump)).contains("\"blitz-shop-task\"", "waitForRelease");
      release.countDown();
      task.await();
    }
  }

  private static void awaitWaiting(BlitzRuntime runtime) {
    Await.until(
        () -> runtime.dump().stream().anyMatch(line -> line.contains("WAITING")),
        "the task to wait");
  }

  private static void waitForRelease(CountDownLatch release) throws InterruptedException {
    release.await();
  }

  @Test
  void flightRecorder_showsTheTasksThreads() throws Exception {
    Path file = folder.resolve("recording.jfr");
    long[] id = new long[1];
    try (var recording = new Recording()) {
      recording.enable("jdk.VirtualThreadStart");
      recording.enable("jdk.VirtualThreadEnd");
      recording.start();
      try (var runtime = BlitzRuntime.builder().workers(1).build()) {
        runtime.spawn(named("recorded"), () -> id[0] = Thread.currentThread().threadId()).await();
      }
      recording.stop();
      recording.dump(file);
    }
    var events = RecordingFile.readAllEvents(file);
    for (String type : new String[] {"jdk.VirtualThreadStart", "jdk.VirtualThreadEnd"}) {
      assertThat(events)
          .filteredOn(e -> e.getEventType().getName().equals(type))
          .filteredOn(e -> e.getLong("javaThreadId") == id[0])
          .singleElement()
          .satisfies(e -> assertThat(e.getThread().getJavaName()).isEqualTo("recorded"));
    }
  }

  @Test
  void aStall_isLoggedWithTheUsersLines() throws Exception {
    try (var logs = new LogCapture();
        var runtime =
            BlitzRuntime.builder().workers(1).stallThreshold(Duration.ofMillis(20)).build()) {
      assumeTrue(runtime.carriers().own(), "the JDK's carriers are not ours to watch");
      runtime.run(() -> hogUntilLogged(logs));
    }
  }

  private static void hogUntilLogged(LogCapture logs) {
    while (logs.messages().stream().noneMatch(m -> m.contains("hogUntilLogged"))) {
      Thread.onSpinWait();
    }
  }

  @Test
  void scopedValues_liveInTheTask_andAreNotInherited() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(2).build()) {
      String seen =
          ScopedValue.where(SCOPED, "outside")
              .call(() ->
                  runtime.run(() -> {
                    boolean inherited = SCOPED.isBound();
                    return ScopedValue.where(SCOPED, "inside")
                        .call(() -> {
                          Task.sleep(Duration.ofMillis(1)).await();
                          boolean child = Task.spawn(SCOPED::isBound).await();
                          return inherited + " " + child + " " + SCOPED.get();
                        });
                  }));
      assertThat(seen).isEqualTo("false false inside");
    }
  }

  @Test
  void threadLocals_belongToTheTask_andNeitherLeakNorInherit() throws Exception {
    INHERITED.set("outside");
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      runtime.run(() -> {
        LOCAL.set("mine");
        Task.yieldNow().await();
        assertThat(Task.spawn(() -> String.valueOf(LOCAL.get())).await()).isEqualTo("null");
        assertThat(LOCAL.get()).isEqualTo("mine");
        assertThat(INHERITED.get()).isNull();
      });
      var worker = new AtomicReference<String>();
      runtime.run(
          dev.blitz.io.future.Futures.lazy(() -> {
            worker.set(LOCAL.get());
            return 1;
          }));
      assertThat(worker.get()).isNull();
    } finally {
      INHERITED.remove();
    }
  }

  @Test
  void mode_isReportedWithAReason() {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var carriers = runtime.carriers();
      boolean open = Object.class.getModule().isOpen("java.lang", getClass().getModule());
      assertThat(carriers.own()).isEqualTo(open);
      assertThat(carriers.toString())
          .contains(open ? "own carriers" : "--add-opens java.base/java.lang=ALL-UNNAMED");
    }
  }
}
