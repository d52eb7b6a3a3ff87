package dev.blitz.io.bytes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies and buffers over every kind of stream; a kind's test makes connected pairs. */
@Strict
public abstract class CopyConformance {
  private BlitzRuntime runtime;
  private final List<ByteStream> open = new ArrayList<>();

  /** A client, the two ends of a proxy in the middle, and a server. */
  private ByteStream client;

  private ByteStream left;
  private ByteStream right;
  private ByteStream server;

  /** The runtime of the streams. */
  protected BlitzRuntime open() {
    return BlitzRuntime.builder().workers(2).build();
  }

  /** Two ends of one connection. */
  protected abstract ByteStream[] connect(BlitzRuntime runtime) throws Exception;

  @BeforeEach
  void connect() throws Exception {
    runtime = open();
    ByteStream[] first = connect(runtime);
    ByteStream[] second = connect(runtime);
    client = first[0];
    left = first[1];
    right = second[0];
    server = second[1];
    open.addAll(List.of(client, left, right, server));
  }

  @AfterEach
  void close() {
    open.forEach(ByteStream::close);
    if (runtime != null) {
      runtime.close();
    }
  }

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new SplittableRandom(length).nextBytes(noise);
    return noise;
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  private static String readText(ByteReader from, int length) throws IOException {
    return new String(BufferedByteReader.of(from).readExactly(length).await(), US_ASCII);
  }

  @Test
  void copy_movesAllUpToTheEnd_andEndsNothing() throws Exception {
    byte[] data = noise(400_000);
    var sending =
        runtime.spawn(client.writeAll(ByteBuffer.wrap(data)).andThen(done -> client.shutdown()));
    var copying = runtime.spawn(Bytes.copy(left, right));
    var target = ByteBuffer.allocate(data.length);
    server.readFully(target).await();
    sending.await();
    assertThat(copying.await()).isEqualTo(data.length);
    assertThat(target.array()).isEqualTo(data);
    right.writeAll(text("more")).await();
    assertThat(readText(server, 4)).isEqualTo("more");
  }

  @Test
  void copy_flushes_wheneverThereIsNothingToRead() throws Exception {
    var kept = BufferedByteWriter.of(right);
    var copying = runtime.spawn(Bytes.copy(left, kept));
    for (String word : List.of("one", "two")) {
      client.writeAll(text(word)).await();
      assertThat(readText(server, 3)).isEqualTo(word);
    }
    client.shutdown().await();
    assertThat(copying.await()).isEqualTo(6);
  }

  /** The proxy is dropped and made again all the time; no byte is lost, repeated or swapped. */
  @Test
  void copies_fromABufferedReader_droppedAllTheTime_goOnWhereTheyWere() throws Exception {
    byte[] data = noise(300_000);
    var sending =
        runtime.spawn(client.writeAll(ByteBuffer.wrap(data)).andThen(done -> client.shutdown()));
    var target = ByteBuffer.allocate(data.length);
    var receiving = runtime.spawn(server.readFully(target));
    var in = BufferedByteReader.of(left);
    var random = new SplittableRandom(3);
    int drops = -1;
    for (boolean done = false; !done; drops++) {
      var copy = Bytes.copy(in, right);
      for (int polls = random.nextInt(3); polls >= 0 && !done; polls--) {
        var cx = new FewSteps(random.nextInt(4));
        done = copy.poll(cx) != null;
        if (!done && polls > 0) {
          Await.until(() -> cx.woken, "a wake");
        }
      }
      if (!done) {
        copy.drop();
      }
    }
    sending.await();
    receiving.await();
    assertThat(drops).isPositive();
    assertThat(target.array()).isEqualTo(data);
  }

  /** A budget of few operations, so that a poll ends anywhere. */
  private static final class FewSteps implements Context {
    private int left;
    private volatile boolean woken;

    FewSteps(int left) {
      this.left = left;
    }

    @Override
    public Waker waker() {
      return () -> woken = true;
    }

    @Override
    public boolean proceed() {
      if (left-- > 0) {
        return true;
      }
      woken = true;
      return false;
    }
  }

  @Test
  void bothWays_halfClosesPassThrough() throws Exception {
    byte[] question = noise(200_000);
    byte[] answer = noise(250_000);
    var proxy = runtime.spawn(Bytes.copyBothWays(left, right));
    var asking =
        runtime.spawn(
            client.writeAll(ByteBuffer.wrap(question)).andThen(done -> client.shutdown()));
    assertThat(BufferedByteReader.of(server).readToEnd(1 << 20).await()).isEqualTo(question);
    asking.await();
    var answering =
        runtime.spawn(server.writeAll(ByteBuffer.wrap(answer)).andThen(done -> server.shutdown()));
    assertThat(BufferedByteReader.of(client).readToEnd(1 << 20).await()).isEqualTo(answer);
    answering.await();
    assertThat(proxy.await()).isEqualTo(new Traffic(question.length, answer.length));
  }

  @Test
  void bothWays_atOnce_underLoad() throws Exception {
    byte[] data = noise(500_000);
    var proxy = runtime.spawn(Bytes.copyBothWays(left, right));
    var sending = new ArrayList<JoinHandle<?>>();
    var receiving = new ArrayList<JoinHandle<byte[]>>();
    for (ByteStream end : List.of(client, server)) {
      sending.add(
          runtime.spawn(end.writeAll(ByteBuffer.wrap(data)).andThen(done -> end.shutdown())));
      receiving.add(runtime.spawn(BufferedByteReader.of(end).readToEnd(1 << 20)));
    }
    for (var done : sending) {
      done.await();
    }
    for (var all : receiving) {
      assertThat(all.await()).isEqualTo(data);
    }
    assertThat(proxy.await()).isEqualTo(new Traffic(data.length, data.length));
  }

  @Test
  void bothWays_hasAllFourSides_untilItIsDropped() throws Exception {
    var wakes = new AtomicInteger();
    Context cx = Context.of(wakes::incrementAndGet);
    var proxy = Bytes.copyBothWays(left, right);
    assertThat(proxy.poll(cx)).isNull();
    for (ByteStream end : List.of(left, right)) {
      assertThatThrownBy(() -> end.tryRead(ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("copy of 0 bytes");
      assertThatThrownBy(() -> end.tryWrite(text("x"))).isInstanceOf(IllegalStateException.class);
    }
    proxy.drop();
    assertThatThrownBy(() -> proxy.poll(cx)).isInstanceOf(IllegalStateException.class);
    client.writeAll(text("to you")).await();
    assertThat(readText(left, 6)).isEqualTo("to you");
    right.writeAll(text("free")).await();
    assertThat(readText(server, 4)).isEqualTo("free");
    assertThat(wakes).hasValue(0);
  }

  @Test
  void aFailureOfOneSide_endsBothWays_andLeavesTheOtherStreamFree() throws Exception {
    var proxy = runtime.spawn(Bytes.copyBothWays(left, right));
    client.writeAll(text("x")).await();
    assertThat(readText(server, 1)).isEqualTo("x");
    right.close();
    assertThatThrownBy(proxy::await).hasRootCauseInstanceOf(ClosedChannelException.class);
    client.writeAll(text("y")).await();
    assertThat(readText(left, 1)).isEqualTo("y");
  }

  @Test
  void aStream_isNotCopiedToItself() {
    assertThatThrownBy(() -> Bytes.copyBothWays(left, left))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCopy_isRefused_whereSomethingIsPending_andHoldsNothingThen() throws Exception {
    Context cx = Context.of(() -> {});
    var read = left.read(ByteBuffer.allocate(1));
    assertThat(read.poll(cx)).isNull();
    assertThatThrownBy(() -> Bytes.copy(left, right).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another read");
    read.drop();
    right.writeAll(text("free")).await();
    assertThat(readText(server, 4)).isEqualTo("free");
  }

  @Test
  void halves_canBeCopied_andAClosedOneEndsTheCopy() throws Exception {
    var halves = right.split();
    var copying = runtime.spawn(Bytes.copy(left, halves.writer()));
    client.writeAll(text("abc")).await();
    assertThat(readText(server, 3)).isEqualTo("abc");
    halves.writer().close();
    assertThatThrownBy(copying::await).hasRootCauseInstanceOf(IOException.class);
    assertThat(server.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
    halves.reader().close();
  }

  @Test
  void numbers_crossTheStream() throws Exception {
    var writing =
        runtime.spawn(() -> {
          var out = BufferedByteWriter.of(client);
          for (int i = 0; i < 5_000; i++) {
            out.writeInt(i).await();
            out.writeLong(-i).await();
          }
          out.shutdown().await();
        });
    var in = BufferedByteReader.ofCapacity(100, left);
    for (int i = 0; i < 5_000; i++) {
      assertThat(in.readInt().await()).isEqualTo(i);
      assertThat(in.readLong().await()).isEqualTo(-i);
    }
    assertThat(in.readToEnd(1).await()).isEmpty();
    writing.await();
  }
}
