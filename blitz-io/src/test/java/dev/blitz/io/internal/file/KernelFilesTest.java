package dev.blitz.io.internal.file;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.KernelCalls;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.services.Services;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files by a kernel that is not there: its calls fail, or do what the test says. */
@Strict
class KernelFilesTest {
  private static final Context CX = Context.of(() -> {});

  @TempDir Path dir;
  private BlitzRuntime runtime;
  private KernelFiles files;
  private final Calls calls = new Calls();

  /** Closes at once; all else is pending until it is cancelled. */
  private static final class Calls implements KernelCalls {
    volatile @Nullable Error fails;
    volatile @Nullable KernelCall last;

    @Override
    public boolean knows(int opcode) {
      return true;
    }

    @Override
    public void submit(KernelCall call) {
      Error error = fails;
      if (error != null) {
        throw error;
      }
      if (call.request().opcode() == FileAbi.OP_CLOSE) {
        PosixCalls.close(call.request().fd());
        call.answer(0, false);
      } else {
        last = call;
        call.submittedAs(() -> call.answer(-Errno.ECANCELED, false));
      }
    }
  }

  @BeforeEach
  void open() throws Exception {
    assumeTrue(TestBackends.probe("epoll").available());
    runtime = BlitzRuntime.builder().backend("epoll").workers(1).build();
    var lane = runtime.run(Futures.lazy(() -> (LaneFiles) Services.required("a test").files()));
    files = new KernelFiles(lane, calls);
  }

  @AfterEach
  void close() {
    if (runtime != null) {
      runtime.close();
    }
  }

  private static int open(Path path, int flags) {
    CallFrame frame = CallFrame.take();
    try {
      PathBytes name = Objects.requireNonNull(PathBytes.of(path));
      int fd = PosixCalls.open(frame, name.copyTo(frame.staging()), flags | FileAbi.O_CLOEXEC, 0);
      assertThat(fd).isNotNegative();
      return fd;
    } finally {
      frame.giveBack();
    }
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

  @Test
  void aCloseWithoutMemory_isMadeAllTheSame() throws Exception {
    Path path = Files.writeString(dir.resolve("f"), "x").toRealPath();
    for (Error error : new Error[] {new OutOfMemoryError("made up"), new StackOverflowError()}) {
      int fd = open(path, FileAbi.O_RDONLY);
      assertThat(descriptorsOf(path)).isEqualTo(1);
      calls.fails = error;
      assertThatCode(() -> files.close(fd)).doesNotThrowAnyException();
      Await.until(() -> descriptorsOf(path) == 0, "the descriptor is closed");
    }
  }

  private boolean goesAtOnce(KernelFile file, long position) throws IOException {
    FileOperation read = file.read(8, position);
    KernelCall call = Objects.requireNonNull(calls.last);
    boolean atOnce = call.goesAtOnce();
    call.answer(0, false);
    read.release();
    return atOnce;
  }

  private boolean isLacking(KernelFile file) {
    return file.readNow(ByteBuffer.allocate(8), 0) == FileOperation.PENDING;
  }

  /** Each goes by a system call of its own: too much for what is in memory. */
  @Test
  void aRead_goesAtOnce_onlyIfItWasJustFoundToWaitForADisk() throws Exception {
    Path warm = Files.write(dir.resolve("warm"), new byte[64]);
    Path cold = dir.resolve("cold");
    try (var channel = FileChannel.open(cold, CREATE_NEW, WRITE)) {
      channel.write(ByteBuffer.allocate(1), 1 << 20); // nobody has had the hole before in memory
    }
    KernelFile inMemory = file(warm);
    KernelFile onDisk = file(cold);
    assertThat(goesAtOnce(inMemory, 0)).as("nobody has asked").isFalse();
    boolean tells = !isLacking(inMemory);
    assertThat(goesAtOnce(inMemory, 0)).as("in memory").isNotEqualTo(tells);
    assertThat(goesAtOnce(onDisk, 0)).as("nobody has asked").isFalse();
    boolean lacks = isLacking(onDisk);
    assertThat(goesAtOnce(onDisk, 0)).as("on disk").isEqualTo(lacks);
    assertThat(goesAtOnce(onDisk, 8)).as("behind it, as what is read ahead").isEqualTo(lacks);
    assertThat(goesAtOnce(onDisk, 0)).as("not asked again").isNotEqualTo(tells);
    inMemory.close();
    onDisk.close();
  }

  private KernelFile file(Path path) throws IOException {
    var file = new KernelFile(files, path, open(path, FileAbi.O_RDONLY));
    file.adopted();
    return file;
  }

  /** A file that is closed with its runtime has a number that is somebody else's by then. */
  @Test
  void aFifoThatIsClosed_stillLetsGoWhoOpensIt() throws Exception {
    Path fifo = dir.toRealPath().resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    var file = new KernelFile(files, fifo, open(fifo, FileAbi.O_RDONLY | PosixAbi.O_NONBLOCK));
    file.adopted();
    var gate = new FifoGate();
    var opens =
        new FutureTask<>(() -> {
          gate.pass(() -> FileChannel.open(fifo, StandardOpenOption.READ)).close();
          return 1;
        });
    Thread thread = Thread.ofPlatform().start(opens);
    try {
      Await.until(
          () -> Arrays.toString(thread.getStackTrace()).contains("UnixNativeDispatcher.open"),
          "a thread waits inside the open");
      var opening = new FifoOpening(file, cx -> null, gate);
      assertThat(opening.poll(CX)).isNull();
      file.close();
      opening.drop();
      Await.until(opens::isDone, "the thread has left the open");
      assertThat(opens.get()).isEqualTo(1);
      Await.until(() -> descriptorsOf(fifo) == 0, "all descriptors are closed");
    } finally {
      FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
    }
  }
}
