package dev.blitz.io.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who may do what on a side of a stream, and when. */
@Strict
class SidesTest {
  private static final Context NOBODY = Context.of(() -> {});

  /** A kind of stream in which nothing moves until it is told. */
  private static final class Stuck extends GuardedStream {
    final List<String> calls = new ArrayList<>();
    Side probed = reading;
    boolean free;
    boolean room;
    Runnable inWrite = () -> {};
    Runnable inClose = () -> {};

    /** Whether somebody else could begin an operation now. */
    private void probe() {
      try {
        probed.claim("probe");
        probed.release();
        free = true;
      } catch (IllegalStateException e) {
        free = false;
      }
    }

    @Override
    protected int doRead(Context cx, ByteBuffer target) {
      calls.add("read");
      return PENDING;
    }

    @Override
    protected int doWrite(Context cx, ByteBuffer source) {
      calls.add("write");
      inWrite.run();
      calls.add("written");
      if (!room) {
        return PENDING;
      }
      int n = source.remaining();
      source.position(source.limit());
      return n;
    }

    @Override
    protected boolean doFlush(Context cx) {
      return true;
    }

    @Override
    protected boolean doShutdown(Context cx) {
      calls.add("shutdown");
      return room;
    }

    @Override
    public void forgetRead() {
      probe();
      calls.add("forgetRead");
    }

    @Override
    public void forgetWrite() {
      probe();
      calls.add("forgetWrite");
    }

    @Override
    public void close() {
      calls.add("close");
      inClose.run();
    }
  }

  @Test
  void aTry_forgetsBeforeItLetsOthersBegin() throws Exception {
    var stream = new Stuck();
    assertThat(stream.tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
    assertThat(stream.calls).containsExactly("read", "forgetRead");
    assertThat(stream.free).isFalse();
    stream.calls.clear();
    stream.probed = stream.writing;
    assertThat(stream.tryWrite(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
    assertThat(stream.calls).containsExactly("write", "written", "forgetWrite");
    assertThat(stream.free).isFalse();
  }

  @Test
  void aTryOfAHalf_forgetsBeforeItLetsOthersBegin() throws Exception {
    var stream = new Stuck();
    var halves = Halves.of(stream);
    stream.probed = halves.reader().side();
    assertThat(halves.reader().tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
    assertThat(stream.free).isFalse();
    stream.probed = halves.writer().side();
    assertThat(halves.writer().tryWrite(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
    assertThat(stream.free).isFalse();
  }

  @Test
  void readOnlyMemory_isRefused_beforeAnythingIsRead() {
    var stream = new Stuck();
    var targets =
        new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1).asReadOnlyBuffer()};
    assertThatThrownBy(() -> stream.pollReadVectored(NOBODY, targets))
        .isInstanceOf(IllegalArgumentException.class);
    var half = Halves.of(stream).reader();
    assertThatThrownBy(() -> half.pollReadVectored(NOBODY, targets))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(stream.calls).isEmpty();
  }

  @Test
  void aHalfThatIsClosedInTheMiddleOfAWrite_endsTheOutputAfterIt() throws Exception {
    var stream = new Stuck();
    stream.room = true;
    var half = Halves.of(stream).writer();
    stream.inWrite = half::close;
    assertThat(half.pollWrite(NOBODY, ByteBuffer.allocate(1))).isOne();
    assertThat(stream.calls).containsExactly("write", "written", "shutdown");
  }

  @Test
  void aHalfThatIsClosed_endsItsPendingWrite() throws Exception {
    var stream = new Stuck();
    var half = Halves.of(stream).writer();
    var wakes = new AtomicInteger();
    Context cx = Context.of(wakes::incrementAndGet);
    var write = half.writeAll(ByteBuffer.allocate(1));
    assertThat(write.poll(cx)).isNull();
    half.close();
    assertThat(stream.calls).containsExactly("write", "written");
    assertThat(wakes.get()).isPositive();
    assertThatThrownBy(() -> write.poll(cx)).isInstanceOf(IOException.class);
    assertThat(stream.calls)
        .containsExactly("write", "written", "forgetWrite", "shutdown", "forgetWrite");
    assertThatThrownBy(() -> half.tryWrite(ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aHalfThatIsClosed_endsTheOutputWhenItsPendingWriteIsDropped() throws Exception {
    var stream = new Stuck();
    var half = Halves.of(stream).writer();
    var write = half.writeAll(ByteBuffer.allocate(1));
    assertThat(write.poll(NOBODY)).isNull();
    half.close();
    write.drop();
    assertThat(stream.calls)
        .containsExactly("write", "written", "forgetWrite", "shutdown", "forgetWrite");
  }

  @Test
  void aHalfWithoutItsStream_forgetsNothing() {
    var stream = new Stuck();
    var halves = Halves.of(stream);
    halves.reader().reunite(halves.writer());
    halves.reader().forgetRead();
    halves.writer().forgetWrite();
    assertThat(stream.calls).isEmpty();
  }

  /** A lock that is held here would be a worker's, and a virtual thread's that needs the worker. */
  @Test
  void nobodyWaits_whileTheSecondHalfClosesTheStream() throws Exception {
    var stream = new Stuck();
    var halves = Halves.of(stream);
    halves.writer().close();
    var closing = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    stream.inClose =
        () -> {
          closing.countDown();
          awaitQuietly(release);
        };
    var closer = Thread.ofPlatform().start(() -> halves.reader().close());
    try {
      closing.await();
      var others =
          CompletableFuture.runAsync(
              () -> {
                halves.reader().close();
                halves.writer().close();
                assertThatThrownBy(() -> halves.reader().reunite(halves.writer()))
                    .isInstanceOf(IllegalStateException.class);
              },
              task -> Thread.ofVirtual().start(task));
      others.get(Timeouts.MEDIUM.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      release.countDown();
      closer.join();
    }
    assertThat(stream.calls).containsOnlyOnce("close");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One half ends while the other one asks to be reunited: one of the two wins, as a whole. */
  @Test
  void aHalfThatEnds_whileItIsReunited_isOneOrTheOther() throws Exception {
    for (int round = 0; round < 300; round++) {
      var stream = new Stuck();
      stream.room = true;
      var halves = Halves.of(stream);
      var reunited = new AtomicBoolean();
      Race.run(
          2,
          who -> {
            if (who == 0) {
              halves.writer().close();
            } else {
              try {
                halves.reader().reunite(halves.writer());
                reunited.set(true);
              } catch (IllegalStateException e) {
                reunited.set(false);
              }
            }
          });
      if (reunited.get()) {
        assertThat(stream.calls).isEmpty();
        stream.tryWrite(ByteBuffer.allocate(1));
      } else {
        assertThat(stream.calls).containsExactly("shutdown");
        halves.reader().close();
        assertThat(stream.calls).contains("close");
      }
    }
  }

  @Test
  void aStream_splitsItself() {
    ByteStream stream = new Stuck();
    var halves = stream.split();
    assertThatThrownBy(() -> stream.tryRead(ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(halves.reader().toString()).contains("reading half");
  }

  @Test
  void segmentsOfOtherArrays_areWritten_andNotReadInto() throws Exception {
    var ends = Duplex.ofCapacity(64);
    var numbers = MemorySegment.ofArray(new long[] {1, 2});
    assertThat(ends.near().writeAll(numbers).poll(NOBODY)).isNotNull();
    assertThat(ends.near().writeAll(numbers.asReadOnly()).poll(NOBODY)).isNotNull();
    assertThat(ends.near().write(numbers).poll(NOBODY)).isEqualTo(16);
    var got = ByteBuffer.allocate(64).order(java.nio.ByteOrder.nativeOrder());
    assertThat(ends.far().tryRead(got)).isEqualTo(48);
    assertThat(got.flip().asLongBuffer().get(5)).isEqualTo(2);
    assertThatThrownBy(() -> ends.far().read(numbers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("byte[]");
  }
}
