package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.Waker;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What files must do on every backend, in several classes by topic; each backend has a test with a
 * nested subclass of each.
 */
@Strict
abstract class FileConformance {
  final String backend;
  BlitzRuntime runtime;
  @TempDir Path dir;

  @SuppressWarnings("NullAway.Init") // before each test
  FileConformance(String backend) {
    this.backend = backend;
  }

  /** With one thread for users: files must not need it. */
  @BeforeEach
  void open() {
    BackendProbe probe = TestBackends.probe(backend);
    assumeTrue(probe.available(), probe::toString);
    runtime = TestBackends.builder(backend).workers(2).blockingThreads(1).build();
  }

  @AfterEach
  void close() {
    if (runtime != null) {
      assertThat(runtime.close(dev.blitz.testkit.Timeouts.MEDIUM).clean()).isTrue();
    }
  }

  /** Something short inside the runtime. */
  final <T> T inside(ThrowingSupplier<T> body) throws Exception {
    return runtime.run(Futures.lazy(body));
  }

  /** Makes a future inside the runtime, and awaits it here. */
  final <T> T await(ThrowingSupplier<IoFuture<T>> future) throws Exception {
    return inside(future).await();
  }

  final AsyncFile file(String name, OpenOption... options) throws Exception {
    return await(() -> AsyncFile.open(dir.resolve(name), options));
  }

  /** One that leaves the page cache alone; the test is skipped where there is no such thing. */
  final AsyncFile direct(String name, OpenOption... options) throws Exception {
    OpenOption[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = FileOption.DIRECT;
    try {
      return file(name, all);
    } catch (FileSystemException e) {
      assumeTrue(!"open: Invalid argument".equals(e.getReason()), "not on this file system");
      throw e;
    } catch (UnsupportedOperationException e) {
      assumeTrue(!backend.equals(TestBackends.JDK_FILES), "not without native code");
      throw e;
    }
  }

  final Path write(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }

  final Path fifo() throws Exception {
    Path fifo = dir.resolve("fifo");
    Process made = new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start();
    assertThat(made.waitFor()).isZero();
    return fifo;
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer filled) {
    return StandardCharsets.UTF_8.decode(filled.flip()).toString();
  }

  static byte[] noise(int length, long seed) {
    byte[] noise = new byte[length];
    new SplittableRandom(seed).nextBytes(noise);
    return noise;
  }

  static @Nullable Throwable failureOf(ThrowingSupplier<?> body) {
    try {
      body.get();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  /**
   * Fails as the JDK does: the same type, the same paths, and a reason that begins with the
   * operation.
   */
  final void failsAsTheJdk(
      String operation, ThrowingSupplier<?> jdk, ThrowingSupplier<? extends IoFuture<?>> ours)
      throws Exception {
    Throwable expected = failureOf(jdk);
    IoFuture<?> future = inside(ours);
    Throwable failure = failureOf(future::await);
    assertThat(expected).as("the JDK fails").isNotNull();
    if (expected.getClass() == IOException.class) { // which names no file: ours does
      assertThat(failure)
          .hasMessageContaining(": " + operation + ": " + expected.getMessage())
          .hasMessageStartingWith("/")
          .isExactlyInstanceOf(FileSystemException.class);
      return;
    }
    assertThat(failure).as(operation + ": " + failure).hasSameClassAs(expected);
    if (expected instanceof FileSystemException e && failure instanceof FileSystemException f) {
      assertThat(f.getFile()).isEqualTo(e.getFile());
      assertThat(f.getOtherFile()).isEqualTo(e.getOtherFile());
      if (f.getReason() != null) {
        assertThat(f.getReason()).startsWith(operation + ": ");
        if (e.getReason() != null) {
          assertThat(f.getReason()).endsWith(e.getReason());
        }
      } else {
        assertThat(e.getReason()).isNull();
      }
    }
  }

  /** A waker that counts. */
  static final class Bell implements Waker {
    private volatile int rings;

    @Override
    public synchronized void wake() {
      rings++;
    }

    int rings() {
      return rings;
    }

    void awaitAfter(int before) {
      Await.until(() -> rings > before, "a wake");
    }

    Context context() {
      return Context.of(this);
    }
  }

  /**
   * Where a future is dropped: after so many polls, in the middle of what it waits for, or when
   * that has ended.
   */
  enum DropWhen {
    AT_ONCE,
    WHEN_WOKEN
  }

  /** Makes a fresh world each time. */
  @FunctionalInterface
  interface World<T> {
    Scene<T> make() throws Exception;
  }

  /**
   * One world.
   *
   * @param future what is dropped
   * @param check what must hold; its argument is the value, or null if it was dropped
   */
  record Scene<T>(IoFuture<T> future, Check<T> check) {}

  /** What must hold afterwards. */
  @FunctionalInterface
  interface Check<T> {
    void after(@Nullable T value) throws Exception;
  }

  /** Drops after each number of polls until the future ends before that; how many there were. */
  static <T> int dropAtEveryPoll(World<T> world) throws Exception {
    for (int polls = 0; ; polls++) {
      boolean ended = false;
      for (DropWhen when : DropWhen.values()) {
        Scene<T> scene = world.make();
        T value = pollSome(scene.future(), polls, when);
        if (value == null) {
          scene.future().drop();
        }
        ended |= value != null;
        scene.check().after(value);
      }
      if (ended) {
        return polls;
      }
      assertThat(polls).as("polls without an end").isLessThan(1000);
    }
  }

  private static <T> @Nullable T pollSome(IoFuture<T> future, int polls, DropWhen when)
      throws IOException {
    var bell = new Bell();
    T value = null;
    for (int i = 0; i < polls && value == null; i++) {
      int before = bell.rings();
      value = future.poll(bell.context());
      boolean last = i == polls - 1;
      if (value == null && (!last || when == DropWhen.WHEN_WOKEN)) {
        bell.awaitAfter(before);
      }
    }
    return value;
  }
}
