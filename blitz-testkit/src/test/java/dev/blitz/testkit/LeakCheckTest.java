package dev.blitz.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checked itself: the leaks of the fixtures are cleared away after each test. */
@Strict
class LeakCheckTest {

  /** What fixtures leave behind, for the test around them to clear away. */
  private static final List<AutoCloseable> LEFT_BEHIND = new ArrayList<>();

  @AfterEach
  void clearAway() throws Exception {
    for (AutoCloseable left : LEFT_BEHIND) {
      left.close();
    }
    LEFT_BEHIND.clear();
  }

  private static void leakThread(String name) {
    var end = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .start(() -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    LEFT_BEHIND.add(() -> {
      end.countDown();
      thread.join();
    });
    Await.untilWaiting(thread);
  }

  @LeakChecked
  static class ThreadFixture {
    @Test
    void leaks() {
      leakThread("forgotten-worker");
    }

    @Test
    void leaksNothing() {}
  }

  @Test
  void thread_leftByTest_isNamedWithStateAndStack() {
    var results = Fixtures.run(ThreadFixture.class);

    results.testEvents().assertStatistics(s -> s.started(2).succeeded(1).failed(1));
    assertThat(Fixtures.failures(results))
        .singleElement() // not once more for the class
        .isInstanceOf(AssertionError.class)
        .extracting(Throwable::getMessage)
        .asString()
        .startsWith("ThreadFixture.leaks left behind:")
        .contains("thread \"forgotten-worker\" #", "daemon WAITING")
        .contains("at " + LeakCheckTest.class.getName() + ".lambda$leakThread$");
  }

  static class MethodFixture {
    @Test
    @LeakChecked
    void checked() {
      leakThread("checked-worker");
    }

    @Test
    void unchecked() {
      leakThread("unchecked-worker");
    }
  }

  @Test
  void annotationOnMethod_checksThatMethodAlone() {
    assertThat(Fixtures.onlyFailure(MethodFixture.class))
        .hasMessageContaining("thread \"checked-worker\"");
  }

  static class InheritingFixture extends ThreadFixture {}

  @Test
  void annotation_isInherited() {
    assertThat(Fixtures.onlyFailure(InheritingFixture.class))
        .hasMessageContaining("forgotten-worker");
  }

  @LeakChecked
  static class SetUpFixture {
    @BeforeEach
    void setUp() {
      leakThread("set-up-worker");
    }

    @Test
    void passes() {}
  }

  @Test
  void thread_leftBySetUp_failsTheTest() {
    assertThat(Fixtures.onlyFailure(SetUpFixture.class)).hasMessageContaining("set-up-worker");
  }

  @LeakChecked
  static class FieldFixture {
    final String name = "field-worker";

    FieldFixture() {
      leakThread(name);
    }

    @Test
    void passes() {}
  }

  @Test
  void thread_leftByConstructor_failsTheTest() {
    assertThat(Fixtures.onlyFailure(FieldFixture.class)).hasMessageContaining("field-worker");
  }

  @LeakChecked
  static class ClassFixture {
    @BeforeAll
    static void setUp() {
      leakThread("class-worker");
    }

    @Test
    void passes() {}
  }

  @Test
  void thread_leftByClass_failsTheClass() {
    var results = Fixtures.run(ClassFixture.class);

    results.testEvents().assertStatistics(s -> s.succeeded(1).failed(0));
    assertThat(Fixtures.failures(results))
        .singleElement()
        .extracting(Throwable::getMessage)
        .asString()
        .startsWith("ClassFixture left behind:")
        .contains("class-worker");
  }

  @LeakChecked
  static class RepeatedFixture {
    @RepeatedTest(2)
    void leaks(RepetitionInfo info) {
      if (info.getCurrentRepetition() == 2) {
        leakThread("second-worker");
      }
    }
  }

  @Test
  void leakOfOneInvocation_namesIt() {
    assertThat(Fixtures.onlyFailure(RepeatedFixture.class))
        .hasMessageStartingWith("RepeatedFixture.leaks repetition 2 of 2 left behind:");
  }

  @LeakChecked
  static class FailingFixture {
    @Test
    void failsAndLeaks() {
      leakThread("second-trouble");
      throw new IllegalStateException("first trouble");
    }
  }

  @Test
  void leakOfFailingTest_isSuppressedByItsFailure() {
    assertThat(Fixtures.onlyFailure(FailingFixture.class))
        .hasMessage("first trouble")
        .satisfies(failure ->
            assertThat(failure.getSuppressed())
                .anySatisfy(s -> assertThat(s).hasMessageContaining("second-trouble")));
  }

  @LeakChecked
  static class DescriptorFixture {
    @Test
    void leaks(@TempDir Path folder) throws IOException {
      Path file = Files.createFile(folder.resolve("forgotten.txt"));
      LEFT_BEHIND.add(Files.newInputStream(file));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void descriptor_leftByTest_isNamedWithNumberAndTarget() {
    assertThat(Fixtures.onlyFailure(DescriptorFixture.class).getMessage())
        .startsWith("DescriptorFixture.leaks left behind:")
        .containsPattern("file descriptor \\d+ -> .*/forgotten\\.txt");
  }

  @LeakChecked
  static class SelectorFixture {
    @Test
    void leaks() throws IOException {
      LEFT_BEHIND.add(Selector.open());
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void selector_leftByTest_isFoundAmongThePollersOfTheJdk() {
    assertThat(Fixtures.onlyFailure(SelectorFixture.class))
        .hasMessageContaining("anon_inode:[eventpoll]")
        .hasMessageContaining("anon_inode:[eventfd]");
  }

  @LeakChecked
  static class IgnoringFixture {
    @Test
    @LeakChecked(ignoreThreads = "known-.*", ignoreDescriptors = ".*/known\\.txt.*")
    void leaksWhatIsIgnored(@TempDir Path folder) throws IOException {
      leakThread("known-worker");
      LEFT_BEHIND.add(Files.newInputStream(Files.createFile(folder.resolve("known.txt"))));
    }
  }

  @Test
  void ignored_areNoLeaksOfTheMethodNorOfItsClass() {
    var results = Fixtures.run(IgnoringFixture.class);

    results.testEvents().assertStatistics(s -> s.succeeded(1).failed(0));
    assertThat(Fixtures.failures(results)).isEmpty();
  }

  @LeakChecked
  static class TidyFixture {
    @AutoClose private final InputStream input = open();

    private static InputStream open() {
      try {
        return Files.newInputStream(Path.of(System.getProperty("java.home"), "release"));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Test
    void closesAllByItself() throws Exception {
      leakThread("ended-in-time");
      LEFT_BEHIND.removeLast().close();
      assertThat(input.read()).isNotNegative();
    }

    @Test
    void leavesAClassFileToTheCollector() {
      LEFT_BEHIND.add(LeakCheckTest.class.getResourceAsStream("LeakCheckTest.class"));
    }

    @Test
    void endsThreadsShortlyAfterwards() {
      // Alive when the test ends, gone well before its grace does.
      new Thread(() -> LockSupport.parkNanos(Timeouts.SHORT.toNanos() / 40)).start();
    }

    @Test
    void usesTheJdk() throws Exception {
      try (var virtual = Executors.newVirtualThreadPerTaskExecutor();
          var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        var accepted = virtual.submit(listener::accept);
        try (var client = new Socket(listener.getInetAddress(), listener.getLocalPort());
            var server = accepted.get(10, TimeUnit.SECONDS)) {
          var read = virtual.submit(() -> server.getInputStream().read());
          client.getOutputStream().write(42);
          assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(42);
        }
      }
      assertThat(CompletableFuture.supplyAsync(() -> 1).orTimeout(10, TimeUnit.SECONDS).get())
          .isEqualTo(1);
      assertThat(new SecureRandom().generateSeed(1)).hasSize(1);
      Path java = Path.of(System.getProperty("java.home"), "bin", "java");
      assertThat(new ProcessBuilder(java.toString(), "--version").start().waitFor()).isZero();
      var pipe = Pipe.open();
      pipe.source().close();
      pipe.sink().close();
      DatagramChannel.open().close();
    }
  }

  @Test
  void cleanTests_pass() {
    var results = Fixtures.run(TidyFixture.class);

    assertThat(Fixtures.failures(results)).isEmpty();
    results.testEvents().assertStatistics(s -> s.started(4).succeeded(4));
  }
}
