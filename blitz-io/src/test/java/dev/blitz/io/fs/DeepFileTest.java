package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepCalls;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.stream.IoSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Files at the end of the stack: nothing stays in use, and nothing is lost. */
@OnceIsEnough
class DeepFileTest {
  private static final Context CX = Context.of(() -> {});
  private static final int ROUNDS = 3;

  @Nested
  class OnUring extends Walk {
    OnUring() {
      super("io_uring");
    }
  }

  @Nested
  class OnLane extends Walk {
    OnLane() {
      super("epoll");
    }
  }

  @Nested
  class OfJdk extends Walk {
    OfJdk() {
      super(TestBackends.JDK_FILES);
    }
  }

  abstract static class Walk extends FileConformance {
    Walk(String backend) {
      super(backend);
    }

    /** What is pending, and could not be dropped for want of stack. */
    private @Nullable Future<?> pending;

    /** The same of what was brought, and could not be closed. */
    private @Nullable AutoCloseable opened;

    private void dropPending() throws Exception {
      Future<?> now = pending;
      if (now != null) {
        now.drop();
        pending = null;
      }
      AutoCloseable brought = opened;
      if (brought != null) {
        brought.close();
        opened = null;
      }
    }

    /** One poll, and a drop where it has not ended; with little stack that of an earlier one. */
    private void once(ThrowingSupplier<? extends Future<?>> make) throws Exception {
      dropPending();
      Future<?> future = make.get();
      boolean ended = true;
      try {
        Object value = future.poll(CX);
        ended = value != null;
        opened = value instanceof AutoCloseable brought ? brought : null;
      } finally {
        pending = ended ? null : future;
        dropPending();
      }
    }

    @Test
    void anOpenFile_isAsGoodAsBefore() throws Exception {
      byte[] data = noise(200_000, 1);
      Files.write(dir.resolve("f"), data);
      try (AsyncFile file = file("f", READ, WRITE);
          AsyncFile other = file("g", CREATE, READ, WRITE)) {
        var target = ByteBuffer.allocate(100);
        List<ThrowingSupplier<? extends Future<?>>> calls =
            List.of(
                () -> file.read(target.clear()),
                () -> file.readAt(50, target.clear()),
                () -> file.readAt(50, target.clear(), ByteBuffer.allocate(9)),
                () -> file.writeAllAt(7, ByteBuffer.wrap(data, 7, 90)),
                () -> file.range(1, 50).read(target.clear()),
                () -> file.size(),
                () -> file.map(3, 100),
                () -> file.lock(3, 100, true),
                () -> file.lock(200, 100, false),
                () -> file.force(false),
                () -> Bytes.copy(file, other));
        int overflows = 0;
        for (var call : calls) {
          once(call);
          for (int round = 0; round < ROUNDS; round++) {
            overflows += DeepCalls.downToTheEnd(() -> once(call), round);
          }
          dropPending();
          file.flush().await();
          other.flush().await();
          file.position(0);
          other.position(0);
        }
        assertThat(overflows).isPositive();
        var all = ByteBuffer.allocate(data.length);
        file.readFully(all).await();
        assertThat(all.array()).isEqualTo(data);
        file.lock().await().release().await();
        other.setLength(0).await();
        file.position(0);
        assertThat(Bytes.copy(file, other).await()).isEqualTo(data.length);
      }
      assertThat(Files.readAllBytes(dir.resolve("g"))).isEqualTo(data);
    }

    /** Whatever was opened is closed with the runtime at the latest: the test looks for it. */
    @Test
    void names_areOpenedReadAndAsked() throws Exception {
      Path path = write("f", "one\ntwo\n");
      List<ThrowingSupplier<? extends Future<?>>> calls =
          List.of(
              () -> inRuntime(() -> AsyncFile.open(path)),
              () -> inRuntime(() -> AsyncFile.readAll(path)),
              () -> inRuntime(() -> FileTree.metadata(path)));
      for (var call : calls) {
        once(call);
        for (int round = 0; round < ROUNDS; round++) {
          Future<?>[] made = new Future<?>[250];
          int[] next = {0};
          for (int i = 0; i < made.length; i++) {
            made[i] = call.get();
          }
          DeepCalls.downToTheEnd(
              () -> {
                if (next[0] < made.length) {
                  Future<?> mine = made[next[0]++];
                  once(() -> mine);
                }
              },
              round);
          dropPending();
        }
      }
      assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("one\ntwo\n");
    }

    /**
     * Begun where there is room, dropped where there is ever less: nothing that was opened stays.
     */
    @Test
    void whatHasBegun_isDropped_alsoAfterADropThatOverflowed() throws Exception {
      Path path = write("f", "one");
      int overflows = 0;
      for (int round = 0; round < ROUNDS; round++) {
        var begun = new ArrayDeque<Future<?>>();
        for (int i = 0; i < 250; i++) {
          Future<?> future = inRuntime(() -> AsyncFile.open(path));
          Object value = future.poll(CX);
          if (value == null) {
            begun.add(future);
          } else {
            ((AsyncFile) value).close();
          }
        }
        overflows +=
            DeepCalls.downToTheEnd(
                () -> {
                  Future<?> next = begun.peek();
                  if (next != null) {
                    next.drop();
                    begun.remove();
                  }
                },
                round);
        begun.forEach(Future::drop);
      }
      assertThat(overflows).isPositive();
    }

    /** How many descriptors lead to {@code path}. */
    private static long descriptorsOf(Path path) {
      try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
        return all.filter(fd -> leadsTo(fd, path)).count();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static boolean leadsTo(Path fd, Path path) {
      try {
        return Files.readSymbolicLink(fd).equals(path);
      } catch (IOException e) {
        return false; // it has been closed meanwhile
      }
    }

    /** Done for each of them, again where there was too little stack. */
    private <T> void each(ThrowingSupplier<T> make, Consumer<T> end) throws Exception {
      int overflows = 0;
      for (int round = 0; round < ROUNDS; round++) {
        var open = new ArrayDeque<T>();
        for (int i = 0; i < 250; i++) {
          open.add(make.get());
        }
        overflows +=
            DeepCalls.downToTheEnd(
                () -> {
                  T next = open.peek();
                  if (next != null) {
                    end.accept(next);
                    open.remove();
                  }
                },
                round);
        open.forEach(end);
      }
      assertThat(overflows).isPositive();
    }

    @Test
    void close_closes_alsoAfterOneThatOverflowed() throws Exception {
      Path path = write("f", "one").toRealPath();
      each(() -> await(() -> AsyncFile.open(path)), AsyncFile::close);
      Await.until(() -> descriptorsOf(path) == 0, "all descriptors are closed");
    }

    /** One that stayed would be refused as an overlap. */
    @Test
    void locksThatAreClosed_areFree() throws Exception {
      try (AsyncFile file = file("f", CREATE, READ, WRITE)) {
        long[] next = {0};
        each(() -> file.lock(next[0]++, 1, false).await(), FileRangeLock::close);
        file.lock().await();
      }
    }

    /** Somebody else has it: asked for, or paused, when it is dropped. */
    @Test
    void locksThatAreWaitedFor_areFreeAfterTheDrop() throws Exception {
      try (AsyncFile one = file("f", CREATE, READ, WRITE);
          AsyncFile other = file("f", READ, WRITE)) {
        FileRangeLock lock = one.lock().await();
        long[] next = {0};
        each(
            () -> {
              Future<?> waiting = other.lock(next[0]++, 1, false);
              assertThat(waiting.poll(CX)).isNull();
              return waiting;
            },
            Future::drop);
        lock.release().await();
        other.lock().await();
        Await.until(() -> runtime.stats().timers() == 0, "no timer is left");
      }
    }

    @Test
    void whatIsMapped_isUnmapped() throws Exception {
      Path path = Files.write(dir.resolve("f"), noise(10, 1)).toRealPath();
      try (AsyncFile file = file("f")) {
        each(() -> file.map(0, 10).await(), FileMapping::close);
      }
      assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
          .noneMatch(line -> line.contains(path.toString()));
    }

    /** The open of one that is forgotten is dropped, and begins anew. */
    @Test
    void linesThatAreForgotten_leaveNothingOpen() throws Exception {
      Path path = write("f", "one").toRealPath();
      List<IoSource<String>> all = new ArrayList<>();
      each(
          () -> {
            IoSource<String> lines = inside(() -> AsyncFile.lines(path));
            all.add(lines);
            if (lines.pollNext(CX) != null) {
              lines.close();
            }
            return lines;
          },
          IoSource::forgetNext);
      all.forEach(IoSource::close);
      Await.until(() -> descriptorsOf(path) == 0, "all descriptors are closed");
    }

    /** Each has its file open. */
    @Test
    void linesThatAreClosed_leaveNothingOpen() throws Exception {
      Path path = write("f", "one\ntwo\n").toRealPath();
      each(
          () -> {
            IoSource<String> lines = inside(() -> AsyncFile.lines(path));
            assertThat(lines.next().await()).contains("one");
            return lines;
          },
          IoSource::close);
      Await.until(() -> descriptorsOf(path) == 0, "all descriptors are closed");
    }

    private Future<?> inRuntime(ThrowingSupplier<? extends Future<?>> make) throws Exception {
      return inside(make::get);
    }
  }
}
