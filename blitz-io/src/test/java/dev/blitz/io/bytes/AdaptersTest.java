package dev.blitz.io.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Between our streams and the JDK's. */
@Strict
class AdaptersTest {
  private BlitzRuntime runtime;

  @BeforeEach
  void open() {
    runtime = BlitzRuntime.builder().workers(2).build();
  }

  @AfterEach
  void close() {
    runtime.close();
  }

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new SplittableRandom(length).nextBytes(noise);
    return noise;
  }

  @Test
  void anInputStream_isRead_alsoBetweenTwoCopies() throws Exception {
    byte[] data = noise(100_000);
    var from = Bytes.reader(new ByteArrayInputStream(data));
    var out = new ByteArrayOutputStream();
    long copied = runtime.run(() -> Bytes.copy(from, Bytes.writer(out)).await());
    assertThat(copied).isEqualTo(data.length);
    assertThat(out.toByteArray()).isEqualTo(data);
    assertThat(runtime.<Integer>run(() -> from.read(ByteBuffer.allocate(1)).await())).isEqualTo(-1);
  }

  /** Gives its byte when it is allowed to. */
  private static final class Slow extends InputStream {
    final CountDownLatch allowed = new CountDownLatch(1);
    private int reads;

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      try {
        allowed.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      target[offset] = (byte) ++reads;
      return 1;
    }
  }

  @Test
  void aDroppedRead_losesNothing_andMakesNoSecondCall() throws Exception {
    var slow = new Slow();
    var from = Bytes.reader(slow);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() ->
              runtime.run(
                  () -> from.read(ByteBuffer.allocate(1)).timeout(Duration.ofMillis(5)).await()))
          .isInstanceOf(TimedOutException.class);
    }
    slow.allowed.countDown();
    var target = ByteBuffer.allocate(2);
    runtime.run(from.readFully(target));
    assertThat(target.array()).containsExactly(1, 2);
  }

  private static final class Gone extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("gone");
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      throw new IOException("gone");
    }
  }

  private static final class Broken extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      throw new IOException("disk full");
    }
  }

  @Test
  void failures_areThoseOfTheStream() throws Exception {
    var in = Bytes.reader(new Gone());
    assertThatThrownBy(() -> runtime.run(in.read(ByteBuffer.allocate(1))))
        .isInstanceOf(IOException.class)
        .hasMessage("gone");
    var out = Bytes.writer(new Broken());
    assertThat(runtime.<Integer>run(out.write(ByteBuffer.allocate(1)))).isOne();
    assertThatThrownBy(() -> runtime.run(out.flush()))
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
  }

  @Test
  void anOutputStream_isFlushedAndClosed() throws Exception {
    var calls = new StringBuilder();
    var out =
        Bytes.writer(
            new ByteArrayOutputStream() {
              @Override
              public void flush() {
                calls.append(size()).append(" flushed ");
              }

              @Override
              public void close() {
                calls.append("closed");
              }
            });
    runtime.run(() -> {
      out.writeAll(ByteBuffer.allocate(10_000)).await();
      out.flush().await();
      out.flush().await();
      out.shutdown().await();
      out.shutdown().await();
      assertThatThrownBy(() -> out.write(ByteBuffer.allocate(1)).await())
          .isInstanceOf(IOException.class);
    });
    assertThat(calls).hasToString("10000 flushed closed");
  }

  @Test
  void channels_areReadAndWritten() throws Exception {
    byte[] data = noise(200_000);
    Pipe pipe = Pipe.open();
    var to = Bytes.writer(pipe.sink());
    var writing =
        runtime.spawn(() -> {
          to.writeAll(ByteBuffer.wrap(data)).await();
          to.shutdown().await();
        });
    var from = BufferedByteReader.of(Bytes.reader(pipe.source()));
    byte[] got = runtime.run(from.readToEnd(1 << 20));
    writing.await();
    assertThat(got).isEqualTo(data);
    from.close();
    assertThat(pipe.source().isOpen()).isFalse();
    assertThat(pipe.sink().isOpen()).isFalse();
  }

  @Test
  void aChannelThatDoesNotBlock_isFoundOut() throws Exception {
    Pipe pipe = Pipe.open();
    try (var source = pipe.source();
        var sink = pipe.sink()) {
      source.configureBlocking(false);
      assertThatThrownBy(() -> runtime.run(Bytes.reader(source).read(ByteBuffer.allocate(1))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("instead of waiting");
      sink.configureBlocking(false);
      var to = Bytes.writer(sink);
      assertThatThrownBy(() ->
              runtime.run(to.writeAll(ByteBuffer.allocate(1 << 20)).andThen(done -> to.flush())))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("instead of waiting");
    }
  }

  @Test
  void outsideARuntime_thereIsNoPool() {
    var in = Bytes.reader(new ByteArrayInputStream(new byte[1]));
    assertThatThrownBy(() -> in.read(ByteBuffer.allocate(1)).await())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void blockingCode_readsAndWritesOurStreams() throws Exception {
    byte[] data = noise(60_000);
    try (var duplex = Duplex.ofCapacity(100)) {
      var writing =
          runtime.spawnBlocking(() -> {
            try (var out = Bytes.outputStream(duplex.near())) {
              out.write(data[0]);
              out.write(data, 1, data.length - 1);
              out.flush();
            }
          });
      try (var in = Bytes.inputStream(duplex.far())) {
        assertThat(in.available()).isZero();
        assertThat(in.read()).isEqualTo(data[0] & 0xff);
        assertThat(in.read(new byte[0])).isZero();
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(data, 1, data.length));
        assertThat(in.read()).isEqualTo(-1);
      }
      writing.await();
      assertThatThrownBy(() -> duplex.far().flush().await())
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void aBufferedReader_tellsWhatIsAvailable() throws Exception {
    var from = BufferedByteReader.of(Bytes.reader(ByteBuffer.allocate(5)));
    var in = Bytes.inputStream(from);
    assertThat(in.read()).isZero();
    assertThat(in.available()).isEqualTo(4);
    assertThatThrownBy(() -> in.read(new byte[1], 0, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void anOutputStream_closedTwice_endsOnce_andRefusesWrites() throws Exception {
    try (var duplex = Duplex.ofCapacity(100)) {
      var kept = BufferedByteWriter.of(duplex.near());
      var out = Bytes.outputStream(kept);
      out.write("x".getBytes(UTF_8));
      out.close();
      out.close();
      assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
      assertThatThrownBy(out::flush).isInstanceOf(IOException.class);
      var target = ByteBuffer.allocate(4);
      assertThat(duplex.far().tryRead(target)).isOne();
      assertThat(duplex.far().tryRead(target)).isEqualTo(ByteReader.EOF);
    }
  }

  @Test
  void ourStreams_areChannels() throws Exception {
    try (var duplex = Duplex.ofCapacity(100)) {
      var to = Bytes.writableChannel(duplex.near());
      var from = Bytes.readableChannel(duplex.far());
      assertThat(to.write(ByteBuffer.allocate(70))).isEqualTo(70);
      assertThat(from.read(ByteBuffer.allocate(100))).isEqualTo(70);
      assertThat(to.isOpen() && from.isOpen()).isTrue();
      to.close();
      to.close();
      assertThat(from.read(ByteBuffer.allocate(100))).isEqualTo(-1);
      from.close();
      assertThat(to.isOpen() || from.isOpen()).isFalse();
      assertThatThrownBy(() -> to.write(ByteBuffer.allocate(1)))
          .isInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(() -> from.read(ByteBuffer.allocate(1)))
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void aRuntimeThatCloses_endsACallThatBlocks() throws Exception {
    var other = BlitzRuntime.builder().workers(1).build();
    var slow = new Slow();
    var from = Bytes.reader(slow);
    var reading =
        other.spawn(Futures.lazy(() -> 0).andThen(zero -> from.read(ByteBuffer.allocate(1))));
    Await.until(
        () -> other.dump().stream().anyMatch(line -> line.contains("bytes from")), "the read");
    other.close();
    assertThat(reading.isDone()).isTrue();
  }
}
