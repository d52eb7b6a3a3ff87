package dev.blitz.io.bytes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every kind of stream does; a kind's test makes connected pairs. */
@Strict
public abstract class StreamConformance {
  private BlitzRuntime runtime;
  private ByteStream near;
  private ByteStream far;

  /** The runtime of the streams. */
  protected BlitzRuntime open() {
    return BlitzRuntime.builder().workers(2).build();
  }

  /** Two ends of one connection. */
  protected abstract ByteStream[] connect(BlitzRuntime runtime) throws Exception;

  @BeforeEach
  void connect() throws Exception {
    runtime = open();
    ByteStream[] pair = connect(runtime);
    near = pair[0];
    far = pair[1];
  }

  @AfterEach
  void close() {
    if (near != null) { // not if there is no such backend
      near.close();
      far.close();
      runtime.close();
    }
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  private static String text(ByteBuffer filled) {
    return US_ASCII.decode(filled.flip()).toString();
  }

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new SplittableRandom(length).nextBytes(noise);
    return noise;
  }

  /** A context whose wakes are counted. */
  private static final class Bell {
    final AtomicInteger rings = new AtomicInteger();
    final Waker waker = rings::incrementAndGet;

    Context context() {
      return Context.of(waker);
    }
  }

  @Test
  void bytes_arriveInOrder_bothWays() throws Exception {
    byte[] data = noise(300_000);
    var there = runtime.spawn(near.writeAll(ByteBuffer.wrap(data)));
    var back = runtime.spawn(far.writeAll(ByteBuffer.wrap(data)));
    for (ByteStream end : new ByteStream[] {far, near}) {
      var target = ByteBuffer.allocate(data.length);
      end.readFully(target).await();
      assertThat(target.array()).isEqualTo(data);
    }
    there.await();
    back.await();
  }

  @Test
  void segments_areReadAndWritten() throws Exception {
    try (var arena = Arena.ofShared()) {
      var out = arena.allocate(100_000);
      out.fill((byte) 7);
      var writing = runtime.spawn(near.writeAll(out));
      var in = arena.allocate(100_000);
      for (long got = 0; got < in.byteSize(); ) {
        got += far.read(in.asSlice(got)).await();
      }
      writing.await();
      assertThat(in.mismatch(out)).isEqualTo(-1);
      assertThat(near.write(arena.allocate(1)).await()).isEqualTo(1);
    }
  }

  @Test
  void vectors_areFilledAndEmptiedInOrder() throws Exception {
    var writing =
        runtime.spawn(near.writeAllVectored(text("abc"), ByteBuffer.allocate(0), text("defg")));
    var targets = new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(6)};
    while (targets[1].hasRemaining()) {
      assertThat(far.readVectored(targets).await()).isPositive();
    }
    writing.await();
    assertThat(text(targets[0]) + text(targets[1])).isEqualTo("abcdefg");
    assertThat(near.writeVectored(text("h")).await()).isEqualTo(1);
    assertThat(near.writeVectored().await()).isZero();
    assertThat(far.readVectored(ByteBuffer.allocate(3)).await()).isEqualTo(1);
  }

  @Test
  void shutdown_isTheEndForThePeer_whoCanStillAnswer() throws Exception {
    near.writeAll(text("bye")).await();
    near.flush().await();
    near.shutdown().await();
    near.shutdown().await();
    var target = ByteBuffer.allocate(8);
    assertThatThrownBy(() -> far.readFully(target).await()).isInstanceOf(EOFException.class);
    assertThat(text(target)).isEqualTo("bye");
    assertThat(far.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
    assertThat(far.tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.EOF);
    assertThatThrownBy(() -> near.write(text("more")).await()).isInstanceOf(IOException.class);
    far.writeAll(text("ok")).await();
    var answer = ByteBuffer.allocate(2);
    near.readFully(answer).await();
    assertThat(text(answer)).isEqualTo("ok");
  }

  @Test
  void emptyBuffers_moveNothing_andDoNotWait() throws Exception {
    assertThat(near.read(ByteBuffer.allocate(0)).await()).isZero();
    assertThat(near.write(ByteBuffer.allocate(0)).await()).isZero();
    assertThat(near.tryRead(ByteBuffer.allocate(0))).isZero();
    near.writeAll(ByteBuffer.allocate(0)).await();
    near.readFully(ByteBuffer.allocate(0)).await();
    near.close();
    assertThatThrownBy(() -> near.read(ByteBuffer.allocate(0)).await())
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> near.flush().await()).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void aReadOnlyTarget_isRefused() {
    assertThatThrownBy(() -> near.read(ByteBuffer.allocate(1).asReadOnlyBuffer()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theTryTier_needsNoTask() throws Exception {
    var target = ByteBuffer.allocate(2);
    assertThat(far.tryRead(target)).isEqualTo(ByteReader.PENDING);
    assertThat(near.tryWrite(text("x"))).isEqualTo(1);
    Await.until(() -> far.tryRead(target) == 1, "the byte");
    var much = ByteBuffer.allocate(1 << 20);
    Await.until(() -> near.tryWrite(much.clear()) == ByteWriter.PENDING, "no room");
  }

  /** Reads are polled some times and dropped; bytes that came meanwhile go to the next one. */
  @Test
  void aDroppedRead_losesNothing_whereverItIsDropped() throws Exception {
    for (int polls = 0; polls < 4; polls++) {
      for (Supplier<IoFuture<?>> operation : reads(ByteBuffer.allocate(4))) {
        var bell = new Bell();
        IoFuture<?> read = operation.get();
        for (int i = 0; i < polls; i++) {
          assertThat((Object) read.poll(bell.context())).isNull();
        }
        near.writeAll(text("kept")).await();
        if (polls > 0) {
          Await.until(() -> bell.rings.get() > 0, "a wake");
        }
        read.drop();
        var target = ByteBuffer.allocate(4);
        far.readFully(target).await();
        assertThat(text(target)).isEqualTo("kept");
      }
    }
  }

  private Iterable<Supplier<IoFuture<?>>> reads(ByteBuffer scratch) {
    return Arrays.asList(
        () -> far.read(scratch.clear()),
        () -> far.readFully(scratch.clear()),
        () -> far.readVectored(scratch.clear()));
  }

  @Test
  void aDroppedWrite_hasWrittenUpToThePosition() throws Exception {
    byte[] data = noise(16 << 20);
    var source = ByteBuffer.wrap(data);
    IoFuture<Done> write = near.writeAll(source);
    var bell = new Bell();
    assertThat(write.poll(bell.context())).isNull();
    write.drop();
    int written = source.position();
    assertThat(written).isBetween(1, data.length - 1);
    var rest = runtime.spawn(near.writeAll(source.limit(written + 5)));
    var target = ByteBuffer.allocate(written + 5);
    far.readFully(target).await();
    rest.await();
    assertThat(target.array()).isEqualTo(Arrays.copyOf(data, written + 5));
  }

  @Test
  void aSecondOperation_isRefused_untilTheFirstHasEnded() throws Exception {
    var bell = new Bell();
    IoFuture<Integer> first = far.read(ByteBuffer.allocate(1));
    assertThat(first.poll(bell.context())).isNull();
    assertThatThrownBy(() -> far.read(ByteBuffer.allocate(1)).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another read")
        .hasMessageContaining("Channel");
    assertThatThrownBy(() -> far.tryRead(ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalStateException.class);
    far.write(text("w")).await();
    first.drop();
    near.write(text("r")).await();
    assertThat(far.read(ByteBuffer.allocate(1)).await()).isEqualTo(1);
  }

  @Test
  void close_endsWhatIsPending_onBothSides() throws Exception {
    var read = runtime.spawn(near.read(ByteBuffer.allocate(1)));
    var write = runtime.spawn(near.writeAll(ByteBuffer.allocate(64 << 20)));
    awaitTask("bytes from");
    awaitTask("room to write");
    near.close();
    assertThatThrownBy(read::await).hasRootCauseInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(write::await).hasRootCauseInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> near.tryRead(ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
  }

  private void awaitTask(String what) {
    Await.until(
        () -> runtime.dump().stream().anyMatch(line -> line.contains(what)),
        "a task that waits for " + what);
  }

  @Test
  void halves_workApart_refuseTheStream_andCanBeReunited() throws Exception {
    var halves = Halves.of(near);
    assertThatThrownBy(() -> near.read(ByteBuffer.allocate(1)).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("split");
    assertThatThrownBy(() -> Halves.of(near)).isInstanceOf(IllegalStateException.class);
    var target = ByteBuffer.allocate(4);
    var reading = runtime.spawn(halves.reader().readFully(target));
    awaitTask("bytes from");
    assertThatThrownBy(() -> halves.reader().reunite(halves.writer()))
        .isInstanceOf(IllegalStateException.class);
    halves.writer().writeAll(text("x")).await();
    assertThat(far.read(ByteBuffer.allocate(1)).await()).isEqualTo(1);
    far.writeAll(text("upup")).await();
    reading.await();
    assertThat(text(target)).isEqualTo("upup");
    assertThat(halves.reader().reunite(halves.writer())).isSameAs(near);
    assertThatThrownBy(() -> halves.reader().tryRead(ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("reunited");
    near.writeAll(text("y")).await();
    assertThat(far.read(ByteBuffer.allocate(1)).await()).isEqualTo(1);
  }

  @Test
  void halves_areNotMade_whileSomethingIsPending() throws Exception {
    var bell = new Bell();
    var pending = near.read(ByteBuffer.allocate(1));
    assertThat(pending.poll(bell.context())).isNull();
    assertThatThrownBy(() -> Halves.of(near)).isInstanceOf(IllegalStateException.class);
    pending.drop();
    var halves = Halves.of(near);
    halves.writer().close();
    assertThat(far.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
    assertThatThrownBy(() -> halves.writer().write(text("x")).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    halves.reader().close();
    assertThatThrownBy(() -> near.flush().await()).isInstanceOf(Exception.class);
  }
}
