package dev.blitz.io.descriptor;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a descriptor of another maker does, on every backend. */
@Strict
@SuppressWarnings("try") // what is closed early is closed again at the end
abstract class DescriptorConformance {
  private final String backend;
  private BlitzRuntime runtime;

  DescriptorConformance(String backend) {
    this.backend = backend;
  }

  @BeforeEach
  void open() {
    TestBackends.assumeAvailable(backend);
    runtime = TestBackends.builder(backend).workers(2).build();
  }

  @AfterEach
  void close() {
    if (runtime != null) {
      runtime.close();
    }
  }

  private <T> T inside(ThrowingSupplier<T> body) throws Exception {
    return runtime.run(Futures.lazy(body));
  }

  private AsyncDescriptor adopt(int number) throws Exception {
    return inside(() -> AsyncDescriptor.adopt(number));
  }

  private AsyncDescriptor[] pipe() throws Exception {
    return inside(AsyncDescriptor::pipe);
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  private static String read(ByteReader from, int length) throws IOException {
    var target = ByteBuffer.allocate(length);
    from.readFully(target).await();
    return US_ASCII.decode(target.flip()).toString();
  }

  @Test
  void aPipe_carriesBytes_andItsEnd() throws Exception {
    byte[] data = new byte[1 << 20]; // more than it has room for
    new SplittableRandom(7).nextBytes(data);
    AsyncDescriptor[] ends = pipe();
    try (var reader = ends[0];
        var writer = ends[1]) {
      JoinHandle<Done> writing = runtime.spawn(writer.writeAll(ByteBuffer.wrap(data)));
      var target = ByteBuffer.allocateDirect(data.length);
      reader.readFully(target).await();
      writing.await();
      assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(data));
      writer.writeAllVectored(text("a"), text("bc")).await();
      var one = ByteBuffer.allocate(2);
      var rest = ByteBuffer.allocateDirect(5);
      assertThat(reader.readVectored(one, rest).await()).isEqualTo(3);
      writer.flush().await();
      writer.shutdown().await();
      writer.shutdown().await();
      assertThat(writer.isOpen()).isFalse();
      assertThat(reader.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
      assertThat(reader.tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.EOF);
      assertThatThrownBy(() -> writer.write(text("x")).await())
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void eachEnd_doesOnlyItsPart() throws Exception {
    AsyncDescriptor[] ends = pipe();
    try (var reader = ends[0];
        var writer = ends[1]) {
      assertThatThrownBy(() -> reader.write(text("x")).await()).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> writer.read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aWriter_whoseReaderHasGone_learnsOfIt_alsoWhileItWaits() throws Exception {
    AsyncDescriptor[] ends = pipe();
    try (var reader = ends[0];
        var writer = ends[1]) {
      var writing = runtime.spawn(writer.writeAll(ByteBuffer.allocate(1 << 20)));
      awaitTask("room to write");
      reader.close();
      assertThatThrownBy(writing::await)
          .hasRootCauseInstanceOf(IOException.class)
          .hasRootCauseMessage("write: Broken pipe");
      assertThatThrownBy(() -> writer.write(text("x")).await())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Broken pipe");
    }
  }

  @Test
  void theTryTier_seesWhatIsThere_atOnce() throws Exception {
    AsyncDescriptor[] ends = pipe();
    try (var reader = ends[0];
        var writer = ends[1]) {
      assertThat(writer.tryWrite(text("now"))).isEqualTo(3);
      var target = ByteBuffer.allocate(8);
      assertThat(reader.tryRead(target)).isEqualTo(3);
      assertThat(reader.tryRead(target)).isEqualTo(ByteReader.PENDING);
      var much = ByteBuffer.allocate(1 << 20);
      while (writer.tryWrite(much.clear()) != ByteWriter.PENDING) {
        // until it is full
      }
      assertThat(writer.tryWrite(much)).isEqualTo(ByteWriter.PENDING);
    }
  }

  @Test
  void readiness_isWhatTheKernelSaysNow_asOftenAsItIsAsked() throws Exception {
    AsyncDescriptor[] ends = pipe();
    try (var reader = ends[0];
        var writer = ends[1]) {
      for (int round = 0; round < 3; round++) {
        var rings = new AtomicInteger();
        Context cx = Context.of(rings::incrementAndGet);
        IoFuture<Done> readable = reader.readable();
        assertThat(readable.poll(cx)).isNull();
        writer.writeAll(text("x")).await();
        Await.until(() -> rings.get() > 0, "a wake");
        assertThat(readable.poll(cx)).isNotNull();
        reader.readable().await();
        reader.readable().await();
        assertThat(read(reader, 1)).isEqualTo("x");
        writer.writable().await();
      }
      writer.close();
      reader.readable().await(); // the end is something to be read
    }
  }

  /** Futures are polled some times and dropped; what came meanwhile is there for the next. */
  @Test
  void whatIsDropped_losesNothing_whereverItIsDropped() throws Exception {
    AsyncDescriptor[] ends = pipe();
    try (var reader = ends[0];
        var writer = ends[1]) {
      for (int polls = 0; polls < 4; polls++) {
        List<IoFuture<?>> kinds =
            List.of(
                reader.readable(),
                reader.read(ByteBuffer.allocate(8)),
                reader.readFully(ByteBuffer.allocate(8)),
                reader.readVectored(ByteBuffer.allocate(8)));
        for (IoFuture<?> future : kinds) {
          var rings = new AtomicInteger();
          for (int i = 0; i < polls; i++) {
            assertThat((Object) future.poll(Context.of(rings::incrementAndGet))).isNull();
          }
          writer.writeAll(text("kept")).await();
          if (polls > 0) {
            Await.until(() -> rings.get() > 0, "a wake");
          }
          future.drop();
          assertThat(read(reader, 4)).isEqualTo("kept");
        }
      }
      while (writer.tryWrite(ByteBuffer.allocate(1 << 16)) != ByteWriter.PENDING) {
        // until it is full
      }
      IoFuture<Done> room = writer.writable();
      assertThat(room.poll(Context.of(() -> {}))).isNull();
      room.drop();
    }
  }

  @Test
  void close_endsWhatWaits() throws Exception {
    AsyncDescriptor[] ends = pipe();
    try (var reader = ends[0];
        var writer = ends[1]) {
      var reading = runtime.spawn(reader.readable());
      awaitTask("bytes from");
      reader.close();
      assertThatThrownBy(reading::await).hasRootCauseInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(() -> reader.readable().await())
          .isInstanceOf(ClosedChannelException.class);
      assertThat(writer.isOpen()).isTrue();
    }
  }

  @Test
  void closingTheRuntime_closesIt_andEndsWhatWaits() throws Exception {
    AsyncDescriptor[] ends = pipe();
    IoFuture<Done> reading = ends[0].readable();
    var rings = new AtomicInteger();
    assertThat(reading.poll(Context.of(rings::incrementAndGet))).isNull();
    runtime.close();
    assertThat(rings).hasPositiveValue();
    assertThat(ends[0].isOpen()).isFalse();
    assertThatThrownBy(() -> reading.poll(Context.of(() -> {})))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void filesAndDirectories_areRefused_andClosed(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "text");
    for (Path path : List.of(file, folder)) {
      int number = TestDescriptors.open(path, PosixAbi.O_RDONLY);
      assertThatThrownBy(() -> adopt(number))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nobody can wait");
      assertThat(TestDescriptors.isOpen(number)).isFalse();
    }
    assertThatThrownBy(() -> adopt(1 << 20)).isInstanceOf(IOException.class);
  }

  @Test
  void theStandardOnes_areNotTakenOver_norChanged() throws Exception {
    for (int number = 0; number <= 2; number++) {
      int standard = number;
      boolean before = TestDescriptors.isNonBlocking(number);
      assertThatThrownBy(() -> adopt(standard))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("reopen");
      assertThat(TestDescriptors.isOpen(number)).isTrue();
      assertThat(TestDescriptors.isNonBlocking(number)).isEqualTo(before);
    }
  }

  @Test
  void reopening_leavesTheNumberAsItIs() throws Exception {
    Pipe made = Pipe.open();
    try (var reader = inside(() -> AsyncDescriptor.reopen(made.reader()));
        var writer = inside(() -> AsyncDescriptor.reopen(made.writer()))) {
      assertThat(reader.tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
      writer.writeAll(text("through")).await();
      assertThat(read(reader, 7)).isEqualTo("through");
      assertThat(TestDescriptors.isNonBlocking(made.reader())).isFalse();
      assertThat(TestDescriptors.isNonBlocking(made.writer())).isFalse();
    } finally {
      PosixCalls.close(made.reader());
      PosixCalls.close(made.writer());
    }
  }

  /** As a child's end: it waits as programs expect. */
  @Test
  void theOtherEndOfAPipe_staysBlocking() throws Exception {
    Pipe made = Pipe.open();
    try (var reader = adopt(made.reader())) {
      assertThat(TestDescriptors.isNonBlocking(made.reader())).isTrue();
      assertThat(TestDescriptors.isNonBlocking(made.writer())).isFalse();
      TestDescriptors.write(made.writer(), "child");
      assertThat(read(reader, 5)).isEqualTo("child");
      PosixCalls.close(made.writer());
      assertThat(reader.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
    }
  }

  @Test
  void aBlockingSocket_isNotWaitedIn_thoughItStaysBlocking() throws Exception {
    int[] ends = TestDescriptors.socketPair();
    try (var near = adopt(ends[0]);
        var far = inside(() -> AsyncDescriptor.reopen(ends[1]))) {
      assertThat(near.tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
      assertThat(far.tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
      assertThat(TestDescriptors.isNonBlocking(ends[1])).isFalse();
      far.writeAll(text("hi")).await();
      assertThat(read(near, 2)).isEqualTo("hi");
    } finally {
      PosixCalls.close(ends[1]);
    }
  }

  @Test
  void aProcess_isWaitedFor() throws Exception {
    Process child = new ProcessBuilder("cat").start();
    try (var process = adopt(TestDescriptors.processDescriptor(child.pid()))) {
      var rings = new AtomicInteger();
      IoFuture<Done> ended = process.readable();
      assertThat(ended.poll(Context.of(rings::incrementAndGet))).isNull();
      child.getOutputStream().close();
      Await.until(() -> rings.get() > 0, "the end of the process");
      assertThat(ended.poll(Context.of(() -> {}))).isNotNull();
      process.readable().await(); // for good
      child.waitFor();
    }
  }

  @Test
  void aFifo_opensTwice_andWorksAsAPipe(@TempDir Path folder) throws Exception {
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    int in = TestDescriptors.open(fifo, PosixAbi.O_RDONLY | PosixAbi.O_NONBLOCK);
    int out = TestDescriptors.open(fifo, PosixAbi.O_WRONLY);
    try (var reader = adopt(in);
        var writer = adopt(out)) {
      var reading = runtime.spawn(reader.readFully(ByteBuffer.allocate(3)));
      writer.writeAll(text("abc")).await();
      reading.await();
    }
  }

  /** The kernel keeps a registration while a duplicate is open: it must be taken back. */
  @Test
  void aDuplicate_thatStaysOpen_doesNotDisturbTheNextOwnerOfTheNumber() throws Exception {
    Pipe made = Pipe.open();
    int spare = TestDescriptors.duplicate(made.reader());
    try {
      int number = made.reader();
      for (int round = 0; round < 3; round++) {
        assertThat(number).as("the number again").isEqualTo(made.reader());
        try (var reader = adopt(number)) {
          var rings = new AtomicInteger();
          IoFuture<Done> readable = reader.readable();
          assertThat(readable.poll(Context.of(rings::incrementAndGet))).isNull();
          TestDescriptors.write(made.writer(), "x");
          Await.until(() -> rings.get() > 0, "a wake");
          readable.drop();
          assertThat(read(reader, 1)).isEqualTo("x");
        }
        Await.until(() -> !TestDescriptors.isOpen(made.reader()), "the number to be free");
        number = TestDescriptors.duplicate(spare);
      }
      PosixCalls.close(number);
    } finally {
      PosixCalls.close(spare);
      PosixCalls.close(made.writer());
    }
  }

  @Test
  void whatIsLost_isClosedByTheCollector() throws Exception {
    AsyncDescriptor[] ends = pipe();
    AsyncDescriptor writer = ends[1];
    ends[0] = writer; // the reader is lost
    Await.untilCollected(() -> isBroken(writer), "the reader to be closed");
    writer.close();
  }

  private static boolean isBroken(AsyncDescriptor writer) {
    try {
      writer.tryWrite(text("x"));
      return false;
    } catch (IOException e) {
      return true; // its reader has gone
    }
  }

  @Test
  void manyPipes_waitAtATime() throws Exception {
    List<AsyncDescriptor> open = new ArrayList<>();
    List<JoinHandle<Done>> reads = new ArrayList<>();
    int count = 300;
    for (int i = 0; i < count; i++) {
      AsyncDescriptor[] ends = pipe();
      open.addAll(List.of(ends));
      reads.add(runtime.spawn(ends[0].readFully(ByteBuffer.allocate(1))));
    }
    for (int i = 0; i < count; i++) {
      open.get(2 * i + 1).write(text("x")).await();
    }
    for (JoinHandle<Done> read : reads) {
      read.await();
    }
    open.forEach(AsyncDescriptor::close);
  }

  private void awaitTask(String what) {
    Await.until(
        () -> runtime.dump().stream().anyMatch(line -> line.contains(what)),
        "a task that waits for " + what);
  }
}
